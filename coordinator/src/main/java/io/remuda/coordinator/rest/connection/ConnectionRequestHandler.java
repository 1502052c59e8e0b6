package io.remuda.coordinator.rest.connection;

import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.settings.RestSettings;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Handles the requests of one connection, one after the other. A body that does not arrive with its
 * head passes through {@link RequestBodyStage}; the connection counts as busy only when it is
 * complete. Responses that need no body, such as a refused token, are sent at once, and then the
 * connection is closed.
 */
public final class ConnectionRequestHandler {

  /** Maximum bytes of a response that is sent in one piece and not counted. */
  private static final int PART = 64 << 10;

  private final Function<HttpRequest, CompletionStage<HttpResponse>> handler;
  private final BodyRoom room;
  private final UnreadAnswers unread;
  private final RestSettings settings;
  private volatile BodyRoom.BodyReservation place;
  private volatile boolean gone;

  public ConnectionRequestHandler(
      Function<HttpRequest, CompletionStage<HttpResponse>> handler,
      BodyRoom room,
      UnreadAnswers unread,
      RestSettings settings) {
    this.handler = handler;
    this.room = room;
    this.unread = unread;
    this.settings = settings;
  }

  /**
   * Returns the response. Fails, and the connection with it, if the connection was just closed for
   * another one. The handler's stage comes from Scala; its plain thenApply would start a thread for
   * each request.
   */
  public CompletionStage<HttpResponse> answer(HttpRequest request, OpenConnections.Connection open)
      throws Exception {
    open.begins();
    boolean complete = request.entity().isStrict();
    if (complete && !open.asks()) {
      return CompletableFuture.failedFuture(new IOException("closed for another connection"));
    }
    return handler
        .apply(complete ? request : request.withEntity(arriving(request, open)))
        .thenApplyAsync(
            response -> {
              over();
              boolean strict = response.entity().isStrict();
              open.answered(
                  strict ? OpenConnections.Delivery.WHOLE : OpenConnections.Delivery.STREAM);
              return response.entity() instanceof HttpEntity.Strict whole
                  ? inParts(response, whole)
                  : response;
            },
            Runnable::run);
  }

  /** Splits a large response into parts, and counts it until the client has read it. */
  private HttpResponse inParts(HttpResponse response, HttpEntity.Strict entity) {
    ByteString bytes = entity.getData();
    if (bytes.size() <= PART) {
      return response;
    }
    SharedKillSwitch end = KillSwitches.shared("answer");
    UnreadAnswers.UnreadAnswer answer =
        unread.begin(bytes.size(), () -> end.abort(new IOException("nobody reads it")));
    Source<ByteString, NotUsed> parts =
        Source.range(0, (bytes.size() - 1) / PART)
            .map(part -> bytes.slice(part * PART, (part + 1) * PART))
            .via(end.flow())
            .watchTermination(
                (nothing, ended) -> {
                  ended.whenCompleteAsync((done, fault) -> answer.over(), Runnable::run);
                  return NotUsed.getInstance();
                });
    return response.withEntity(HttpEntities.create(entity.getContentType(), bytes.size(), parts));
  }

  private RequestEntity arriving(HttpRequest request, OpenConnections.Connection open) {
    long length = request.entity().getContentLengthOption().orElse(ApiRoute.Body.LARGE.bytes());
    String sender = request.getHeader("Authorization").map(header -> header.value()).orElse("");
    RequestBodyStage body =
        new RequestBodyStage(
            new BodyPace(settings.bodyDeadline(), settings.bodyRate()),
            go -> enter(sender, length, go),
            open::asks);
    RequestEntity entity = request.entity();
    Source<ByteString, Object> bytes = entity.getDataBytes().via(body);
    return entity.getContentLengthOption().isPresent()
        ? HttpEntities.create(entity.getContentType(), length, bytes)
        : HttpEntities.create(entity.getContentType(), bytes);
  }

  private void enter(String sender, long length, Runnable go) {
    if (length <= BodyRoom.SMALL) {
      go.run();
    } else {
      place = room.enter(sender, Math.min(length, ApiRoute.Body.LARGE.bytes()), go);
      if (gone) {
        over();
      }
    }
  }

  /** Handles the end of the connection. */
  public void closed() {
    gone = true;
    over();
  }

  /** Releases the capacity of the last request's body. */
  void over() {
    BodyRoom.BodyReservation taken = place;
    if (taken != null) {
      taken.leave();
    }
  }
}
