package io.remuda.coordinator.rest.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.ErrorAnswer;
import io.remuda.json.PlainJson;
import java.util.Locale;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/** Creates JSON responses; all errors have the same form. */
public final class JsonResponses {

  private JsonResponses() {}

  public static byte[] bytes(Object value) {
    try {
      return PlainJson.MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException fault) {
      throw new IllegalStateException("cannot write " + value, fault);
    }
  }

  public static HttpResponse ok(Object value) {
    return json(StatusCodes.OK, value);
  }

  public static HttpResponse json(StatusCode status, Object value) {
    return HttpResponse.create()
        .withStatus(status)
        .withEntity(ContentTypes.APPLICATION_JSON, bytes(value));
  }

  /** Returns the response that {@code good} makes of a reply, or its rejection as a response. */
  public static <T> HttpResponse of(Reply<T> answer, Function<T, HttpResponse> good) {
    return answer instanceof Reply.Yes<T> yes
        ? good.apply(yes.value())
        : no(((Reply.No<T>) answer).rejection());
  }

  public static HttpResponse no(Rejection rejection) {
    HttpResponse answer =
        error(
            status(rejection.code()),
            rejection.code().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            rejection.message(),
            rejection.todo());
    return switch (rejection.code()) {
      case DISK -> answer.addHeader(RawHeader.create("Retry-After", "5"));
      case NOT_YET, NO_LEADER -> answer.addHeader(RawHeader.create("Retry-After", "1"));
      default -> answer;
    };
  }

  public static HttpResponse error(StatusCode status, String code, String message, String todo) {
    return json(status, ErrorAnswer.of(code, message, todo));
  }

  private static StatusCode status(Rejection.Code code) {
    return switch (code) {
      case INVALID -> StatusCodes.BAD_REQUEST;
      case NEVER_FITS -> StatusCodes.UNPROCESSABLE_ENTITY;
      case NOT_FOUND -> StatusCodes.NOT_FOUND;
      case NOT_YOURS -> StatusCodes.FORBIDDEN;
      case TOO_MANY -> StatusCodes.TOO_MANY_REQUESTS;
      case WRONG_STATE -> StatusCodes.CONFLICT;
      case DISK, NOT_YET, NO_LEADER -> StatusCodes.SERVICE_UNAVAILABLE;
      case MAYBE_DONE -> StatusCodes.GATEWAY_TIMEOUT; // which nobody repeats by itself
      case UNREACHABLE -> StatusCodes.BAD_GATEWAY;
    };
  }
}
