package io.remuda.coordinator.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * A server's answer as it is, whatever its status. One thread at a time.
 *
 * @param status of HTTP
 * @param headers by lower-case name
 * @param body to be closed; before its end that closes the connection, too
 */
public record RelayedAnswer(int status, Map<String, String> headers, InputStream body)
    implements AutoCloseable {

  public RelayedAnswer {
    headers = Map.copyOf(headers);
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
