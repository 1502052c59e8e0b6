package io.remuda.coordinator.rest.output;

import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.worker.job.JobId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.sse.ServerSentEvent;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.stream.javadsl.Source;

/**
 * Streams the event log as server-sent events. The id of each is its sequence, so that after a lost
 * connection a client can continue after the last event it has seen.
 */
final class EventStreaming {

  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);
  private static final int AT_ONCE = 500;

  private final RestBackend backend;
  private final JobId job;

  /**
   * @param job only events of this job, or null for all events
   */
  EventStreaming(RestBackend backend, JobId job) {
    this.backend = backend;
    this.job = job;
  }

  Source<ServerSentEvent, NotUsed> after(long sequence) {
    return Source.unfoldAsync(sequence, this::next)
        .mapConcat(events -> events)
        .map(EventStreaming::event)
        .keepAlive(HEARTBEAT, ServerSentEvent::heartbeat);
  }

  private CompletionStage<Optional<Pair<Long, List<EventLogEntry>>>> next(long after) {
    return backend
        .query(reader -> reader.events(job, after, AT_ONCE))
        .thenCompose(
            events -> {
              if (events.isEmpty()) {
                return Patterns.after(
                    PAUSE,
                    backend.system().classicSystem(),
                    () ->
                        CompletableFuture.completedFuture(Optional.of(Pair.create(after, events))));
              }
              long last = events.get(events.size() - 1).sequence();
              return CompletableFuture.completedFuture(Optional.of(Pair.create(last, events)));
            });
  }

  private static ServerSentEvent event(EventLogEntry event) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("at", event.at());
    data.put("job", event.job() == 0 ? null : event.job());
    data.put("task", event.task() < 0 ? null : event.task());
    data.put("detail", event.detail());
    return ServerSentEvent.create(
        new String(JsonResponses.bytes(data), StandardCharsets.UTF_8),
        Optional.of(event.what()),
        Optional.of(Long.toString(event.sequence())),
        OptionalInt.empty());
  }
}
