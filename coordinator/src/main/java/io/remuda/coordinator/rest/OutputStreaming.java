package io.remuda.coordinator.rest;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.actor.Reply;
import io.remuda.coordinator.store.JobRow;
import io.remuda.coordinator.store.TaskRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.sse.ServerSentEvent;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.stream.javadsl.Source;

/**
 * What a job prints, as server-sent events, from its beginning to its end: {@code out} and {@code
 * err} with the bytes in base64, {@code state} at each change of the job's state, and {@code end}
 * last. A node that does not answer is asked again; nothing is left out but what was dropped, and
 * then the next event says how much.
 */
final class OutputStreaming {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** So long after its end a job's output is waited for, if its node does not answer. */
  private static final long PATIENCE_MILLIS = 30_000;

  private static final int MOST_TASKS = 1_000_000;

  /** How far one stream of one attempt was passed on. */
  private record Key(AttemptId attempt, OutputStreamName stream) {}

  private final Backend backend;
  private final JobId job;
  private final Map<Key, Long> offsets = new HashMap<>();
  private final Set<AttemptId> done = new HashSet<>();
  private String lastState = "";
  private boolean over;
  private boolean unreachable;
  private Duration pause = FIRST_PAUSE;

  OutputStreaming(Backend backend, JobId job) {
    this.backend = backend;
    this.job = job;
  }

  private record Look(Optional<JobRow> row, List<TaskRow> tasks) {}

  Source<ServerSentEvent, NotUsed> events() {
    return Source.unfoldAsync(NotUsed.getInstance(), state -> next())
        .mapConcat(events -> events)
        .keepAlive(HEARTBEAT, ServerSentEvent::heartbeat);
  }

  private CompletionStage<Optional<Pair<NotUsed, List<ServerSentEvent>>>> next() {
    if (over) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return backend
        .query(reader -> new Look(reader.job(job), reader.tasks(job, 0, MOST_TASKS)))
        .thenCompose(this::look)
        .thenCompose(this::paused);
  }

  private CompletionStage<List<ServerSentEvent>> look(Look look) {
    List<ServerSentEvent> events = new ArrayList<>();
    unreachable = false;
    if (look.row().isEmpty()) {
      over = true;
      events.add(event("end", Map.of("state", "unknown")));
      return CompletableFuture.completedFuture(events);
    }
    JobRow row = look.row().get();
    if (!row.state().label().equals(lastState)) {
      lastState = row.state().label();
      events.add(event("state", Views.job(row)));
    }
    CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
    for (TaskRow task : look.tasks()) {
      if (task.node() != null && task.attempt() > 0 && !done.contains(attempt(task))) {
        all = all.thenCompose(complete -> read(task, events).thenApply(whole -> whole && complete));
      }
    }
    return all.thenApply(
        complete -> {
          boolean longOver =
              row.ended() > 0 && System.currentTimeMillis() - row.ended() > PATIENCE_MILLIS;
          if (row.state().isFinal() && (complete || (longOver && unreachable))) {
            over = true;
            events.add(event("end", Views.job(row)));
          }
          return events;
        });
  }

  private static AttemptId attempt(TaskRow task) {
    return new AttemptId(task.id(), task.attempt());
  }

  /** Whether all that the task will ever print was passed on. */
  private CompletionStage<Boolean> read(TaskRow task, List<ServerSentEvent> events) {
    return read(task, OutputStreamName.OUT, events)
        .thenCompose(out -> read(task, OutputStreamName.ERR, events).thenApply(err -> out && err))
        .thenApply(
            whole -> {
              boolean ended = task.state().isFinal() && whole;
              if (ended) {
                done.add(attempt(task));
              }
              return ended;
            });
  }

  private CompletionStage<Boolean> read(
      TaskRow task, OutputStreamName stream, List<ServerSentEvent> events) {
    Key key = new Key(attempt(task), stream);
    long offset = offsets.getOrDefault(key, 0L);
    return backend
        .output(task.node(), key.attempt(), stream, offset, AgentMessage.Output.MOST_BYTES)
        .thenApply(
            answer -> {
              if (answer instanceof Reply.Yes<AgentMessage.Output> yes) {
                AgentMessage.Output output = yes.value();
                if (output.bytes().length > 0 || output.dropped() > 0) {
                  offsets.put(key, output.offset() + output.bytes().length);
                  events.add(output(task, stream, output));
                }
                return output.offset() + output.bytes().length >= output.size();
              }
              return neverPrinted(task, answer);
            });
  }

  /** A task that could not start has no output; one whose node is away has some later. */
  private boolean neverPrinted(TaskRow task, Reply<AgentMessage.Output> answer) {
    boolean away =
        ((Reply.No<AgentMessage.Output>) answer).rejection().code()
            == io.remuda.coordinator.actor.Rejection.Code.UNREACHABLE;
    unreachable |= away;
    return task.state().isFinal() && !away;
  }

  private static ServerSentEvent output(
      TaskRow task, OutputStreamName stream, AgentMessage.Output output) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("task", task.id().toString());
    data.put("attempt", task.attempt());
    data.put("offset", output.offset());
    if (output.dropped() > 0) {
      data.put("dropped", output.dropped());
    }
    data.put("data", Base64.getEncoder().encodeToString(output.bytes()));
    return event(stream == OutputStreamName.OUT ? "out" : "err", data);
  }

  private static ServerSentEvent event(String type, Object data) {
    return ServerSentEvent.create(new String(Replies.bytes(data), StandardCharsets.UTF_8), type);
  }

  private CompletionStage<Optional<Pair<NotUsed, List<ServerSentEvent>>>> paused(
      List<ServerSentEvent> events) {
    Optional<Pair<NotUsed, List<ServerSentEvent>>> next =
        Optional.of(Pair.create(NotUsed.getInstance(), events));
    if (!events.isEmpty() || over) {
      pause = FIRST_PAUSE;
      return CompletableFuture.completedFuture(next);
    }
    Duration wait = pause;
    pause =
        pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
    return Patterns.after(
        wait, backend.system().classicSystem(), () -> CompletableFuture.completedFuture(next));
  }
}
