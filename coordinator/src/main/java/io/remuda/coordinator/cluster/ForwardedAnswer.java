package io.remuda.coordinator.cluster;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * The leader's answer to a forwarded request.
 *
 * @param id of the request
 * @param status of HTTP
 * @param type content type of the body
 * @param headers that the client gets
 */
public record ForwardedAnswer(
    long id, int status, String type, Map<String, String> headers, byte[] body)
    implements ClusterMessage {

  public ForwardedAnswer {
    headers = headers == null ? Map.of() : Map.copyOf(headers);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForwardedAnswer answer
        && id == answer.id
        && status == answer.status
        && type.equals(answer.type)
        && headers.equals(answer.headers)
        && Arrays.equals(body, answer.body);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, status, type, headers, Arrays.hashCode(body));
  }
}
