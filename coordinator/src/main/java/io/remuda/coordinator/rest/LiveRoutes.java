package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.live.LiveBatch;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.route.ApiRoute;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** The routes of what happens at the moment: as a stream, and step by step. */
final class LiveRoutes {

  /** Streams at once; each may hold a whole picture of the cluster for a reader that is slow. */
  private static final int MOST_STREAMS = 64;

  /** Longer than any id of an event. */
  private static final int MOST_CHARACTERS = 100;

  private static final String LAST_EVENT = "Last-Event-ID";

  /** A parameter with the same, for who can send no such header. */
  private static final String AFTER = "after";

  private final LiveStreaming streaming;
  private final AtomicInteger open = new AtomicInteger();

  LiveRoutes(LiveStreaming streaming) {
    this.streaming = streaming;
  }

  void add(RouteHandlers routes) {
    routes
        .onNow(
            ApiRoute.LIVE,
            request ->
                stream(
                    known(
                        request
                            .http()
                            .getHeader(LAST_EVENT)
                            .map(HttpHeader::value)
                            .or(() -> request.query(AFTER))),
                    request.caller()))
        .on(ApiRoute.LIVE_NEXT, request -> next(known(request.query(AFTER)), request.caller()));
  }

  /** Returns the id of a batch; one that is none gets everything. */
  private static String known(Optional<String> id) {
    return id.filter(text -> text.length() <= MOST_CHARACTERS).orElse("");
  }

  private CompletionStage<HttpResponse> next(String after, Caller caller) {
    return streaming.next(after, caller).thenApply(LiveRoutes::response);
  }

  private static HttpResponse response(LiveBatch batch) {
    return HttpResponse.create()
        .addHeader(RawHeader.create(LiveStreaming.ID, batch.id()))
        .withEntity(MediaTypes.TEXT_EVENT_STREAM.toContentType(), batch.events());
  }

  private HttpResponse stream(String after, Caller caller) {
    if (open.get() >= MOST_STREAMS) {
      return JsonResponses.no(
          new Rejection(
              Rejection.Code.TOO_MANY,
              MOST_STREAMS + " streams of /live are open, the maximum",
              "close a page, or try again later"));
    }
    Source<ByteString, Object> counted =
        Source.lazySource(() -> counted(streaming.after(after, caller)))
            .mapMaterializedValue(nothing -> nothing);
    return HttpResponse.create()
        .addHeader(RawHeader.create("Cache-Control", "no-store"))
        .withEntity(
            HttpEntities.createChunked(MediaTypes.TEXT_EVENT_STREAM.toContentType(), counted));
  }

  private Source<ByteString, NotUsed> counted(Source<ByteString, NotUsed> stream) {
    open.incrementAndGet();
    return stream.watchTermination(
        (nothing, ended) -> {
          ended.whenCompleteAsync((done, fault) -> open.decrementAndGet(), Runnable::run);
          return nothing;
        });
  }
}
