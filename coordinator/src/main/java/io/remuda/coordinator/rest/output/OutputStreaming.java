package io.remuda.coordinator.rest.output;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.answer.JobAnswer;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.AttemptHistory;
import io.remuda.coordinator.store.query.EarlierAttempt;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.sse.ServerSentEvent;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.stream.javadsl.Source;

/**
 * Streams a job's output as server-sent events, from the client's position to the end of the job:
 * {@code out} and {@code err} with the bytes in base64, {@code done} with tasks of which all output
 * was sent, {@code state} at each change of the job's state, and {@code end} last. Nodes that do
 * not answer are asked again; {@code missing} says before the end that one has not come back in
 * time. Of output that its node has dropped the next event has the number of bytes.
 *
 * <p>It makes passes over the tasks, a few at a time, and only when the client has read the
 * previous events. So it holds a limited amount of output. All output of an ended task is sent
 * before the next task's. While the job is live, a pass skips tasks that ended before the previous
 * pass. One step at a time, on any thread.
 */
final class OutputStreaming {

  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** How long after a job's end its output is awaited if a node does not answer. */
  private static final long PATIENCE_MILLIS = 30_000;

  /** How far the wall clock may be set back between two passes without skipping tasks. */
  private static final long CLOCK_MILLIS = 60_000;

  /** Task indexes that the store searches at a time. */
  private static final int WINDOW = 20_000;

  private static final int ROWS = 100;
  private static final int TASKS_AT_ONCE = 4;
  private static final int STREAMS = 2;

  private final RestBackend backend;
  private final JobId job;
  private final OutputPosition position;
  private final FollowerMemoryBudget followers;
  private final Wanted wanted;
  private final Clock clock;

  private final PassPause pause = new PassPause();
  private final Deque<TaskRow> tasks = new ArrayDeque<>();

  /** The earlier attempts of these tasks, by index. */
  private Map<Integer, List<EarlierAttempt>> earlier = Map.of();

  /** The job at the start of the pass; null between two passes. */
  private JobRow row;

  private int next;
  private long since;
  private long began;
  private long searched;
  private boolean complete;

  /** Why output of this pass could not be read now; null if all could. */
  private String unreachable;

  private boolean told;

  /** Whether a file has the output of several tasks, so that its end is that of the job. */
  private boolean shared;

  private String lastState = "";
  private boolean over;

  /** What a client that begins to follow wants of tasks that were started again. */
  enum Attempts {
    /** The newest attempt, and all that follow. */
    NEWEST,
    ALL
  }

  /**
   * What a client wants.
   *
   * @param machine of the client: events of a node on it say where what follows them lies, and how
   *     far the client reads it there; or null
   */
  record Wanted(Attempts attempts, String machine) {}

  /**
   * @param position the client's position; updated with what is sent
   * @param clock wall clock, as the one of the ends of jobs
   */
  OutputStreaming(
      RestBackend backend,
      JobId job,
      OutputPosition position,
      Wanted wanted,
      FollowerMemoryBudget followers,
      Clock clock) {
    this.backend = backend;
    this.clock = clock;
    this.wanted = wanted;
    this.job = job;
    this.position = position;
    this.followers = followers;
  }

  Source<ServerSentEvent, NotUsed> events() {
    return Source.lazySource(this::joined)
        .mapMaterializedValue(later -> NotUsed.getInstance())
        .mapConcat(events -> events)
        .keepAlive(HEARTBEAT, ServerSentEvent::heartbeat);
  }

  private Source<List<ServerSentEvent>, NotUsed> joined() {
    followers.joined();
    return Source.unfoldAsync(NotUsed.getInstance(), state -> next())
        .watchTermination(
            (nothing, ended) -> {
              ended.whenCompleteAsync((done, fault) -> followers.left(), Runnable::run);
              return nothing;
            });
  }

  private CompletionStage<Optional<Pair<NotUsed, List<ServerSentEvent>>>> next() {
    if (over) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return step().thenApply(events -> Optional.of(Pair.create(NotUsed.getInstance(), events)));
  }

  private CompletionStage<List<ServerSentEvent>> step() {
    if (row == null) {
      return backend.query(this::look).thenApply(this::begin);
    }
    if (!tasks.isEmpty()) {
      return readSome();
    }
    if (next < row.tasks()) {
      return backend
          .query(reader -> window(reader, row))
          .thenApply(
              part -> {
                take(part);
                return List.of();
              });
    }
    return finish();
  }

  /** Some tasks to read, and their earlier attempts. */
  private record Window(
      StoreReader.RowBatch<TaskRow> tasks, Map<Integer, List<EarlierAttempt>> earlier) {}

  /** A job, and the first of its tasks to read. */
  private record JobTasks(JobRow row, Window tasks) {}

  private Optional<JobTasks> look(StoreReader reader) throws IOException {
    began = clock.millis();
    searched = 0;
    next = position.firstOpen();
    complete = true;
    unreachable = null;
    Optional<JobRow> found = reader.job(job);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    if (found.get().state().isFinal() || shared) {
      since = 0; // the last pass must not skip tasks
    }
    return Optional.of(new JobTasks(found.get(), window(reader, found.get())));
  }

  private List<ServerSentEvent> begin(Optional<JobTasks> found) {
    if (found.isEmpty()) {
      over = true;
      return List.of(event("end", Map.of("state", "unknown")));
    }
    row = found.get().row();
    take(found.get().tasks());
    if (row.state().label().equals(lastState)) {
      return List.of();
    }
    lastState = row.state().label();
    told = true;
    return List.of(event("state", JobAnswer.of(row)));
  }

  private Window window(StoreReader reader, JobRow of) throws IOException {
    long begin = System.nanoTime();
    int end = Math.min(of.tasks(), next + WINDOW);
    StoreReader.RowBatch<TaskRow> part = reader.changedTasks(job, next, end, since, ROWS);
    List<TaskRow> open =
        part.rows().stream().filter(task -> !position.isDone(task.id().index())).toList();
    Map<Integer, List<EarlierAttempt>> before = AttemptHistory.of(job, open, reader);
    searched += System.nanoTime() - begin;
    return new Window(part, before);
  }

  private void take(Window window) {
    StoreReader.RowBatch<TaskRow> part = window.tasks();
    List<TaskRow> rows = part.rows();
    earlier = window.earlier();
    next = part.more() ? rows.get(rows.size() - 1).id().index() + 1 : next + WINDOW;
    for (TaskRow task : rows) {
      if (task.node() != null && task.attempt() > 0 && !position.isDone(task.id().index())) {
        tasks.add(task);
      }
    }
  }

  private CompletionStage<List<ServerSentEvent>> readSome() {
    CompletionStage<List<TaskOutputParts>> all =
        CompletableFuture.completedFuture(new ArrayList<>());
    int bytes = followers.bytes(TASKS_AT_ONCE * STREAMS);
    for (int i = 0; i < TASKS_AT_ONCE && !tasks.isEmpty(); i++) {
      CompletionStage<TaskOutputParts> one = read(tasks.remove(), bytes);
      all =
          all.thenCombine(
              one,
              (some, more) -> {
                some.add(more);
                return some;
              });
    }
    return all.thenApply(this::told);
  }

  /** Requests the next output of a task; what is left of its earlier attempts comes first. */
  private CompletionStage<TaskOutputParts> read(TaskRow task, int bytes) {
    int begun = position.attempt(task.id().index());
    int attempt = begun == 0 && wanted.attempts() == Attempts.ALL ? 1 : begun;
    int which = attempt == 0 ? task.attempt() : Math.min(attempt, task.attempt());
    String node =
        AttemptHistory.nodeOf(task, which, earlier.getOrDefault(task.id().index(), List.of()));
    return TaskOutputParts.ask(backend, task, which, node, position, bytes, wanted.machine());
  }

  private List<ServerSentEvent> told(List<TaskOutputParts> parts) {
    List<ServerSentEvent> events = new ArrayList<>();
    BitSet done = new BitSet();
    boolean mayReturn = row.gang().number() > 0 && !row.state().isFinal(); // with its gang
    for (int i = parts.size() - 1; i >= 0; i--) {
      again(parts.get(i));
    }
    for (TaskOutputParts part : parts) {
      tell(part, OutputStreamName.OUT, part.out(), events);
      tell(part, OutputStreamName.ERR, part.err(), events);
      int index = part.task().id().index();
      boolean whole = part.isWhole();
      shared |= part.isShared();
      boolean mayGrow = mayReturn || (part.isShared() && !row.state().isFinal());
      if (part.isNewest() && whole && !mayGrow) {
        position.done(index);
        done.set(index);
      } else if (part.isNewest()) {
        position.begun(index, part.attempt());
      } else if (whole || !part.hasMore()) {
        position.begun(index, part.attempt() + 1);
      }
    }
    if (!done.isEmpty()) {
      String ranges = OutputPosition.ranges(done, Integer.MAX_VALUE);
      events.add(event("done", Map.of("tasks", ranges)));
    }
    told |= !events.isEmpty();
    return events;
  }

  /** Queues an ended attempt that has more output for reading at once. */
  private void again(TaskOutputParts part) {
    unreachable = part.away().orElse(unreachable);
    boolean ended = part.task().state().isFinal() || !part.isNewest();
    if (part.isNewest() && part.isWhole()) {
      return;
    }
    if (ended && (part.hasMore() || !part.isNewest())) {
      tasks.addFirst(part.task());
    } else {
      complete = false;
    }
  }

  private void tell(
      TaskOutputParts part,
      OutputStreamName stream,
      Reply<AgentMessage.Output> answer,
      List<ServerSentEvent> events) {
    if (answer instanceof Reply.Yes<AgentMessage.Output> yes) {
      AgentMessage.Output output = yes.value();
      if (output.bytes().length > 0 || output.dropped() > 0) {
        int index = part.task().id().index();
        position.shown(index, part.attempt(), stream, TaskOutputParts.end(output));
        events.add(output(part, stream, output));
      }
    }
  }

  private CompletionStage<List<ServerSentEvent>> finish() {
    JobRow looked = row;
    row = null;
    boolean longOver = looked.ended() > 0 && clock.millis() - looked.ended() > PATIENCE_MILLIS;
    if (looked.state().isFinal() && (complete || (longOver && unreachable != null))) {
      over = true;
      List<ServerSentEvent> last = new ArrayList<>();
      if (!complete) {
        last.add(event("missing", Map.of("reason", unreachable)));
      }
      last.add(event("end", JobAnswer.of(looked)));
      return CompletableFuture.completedFuture(last);
    }
    if (unreachable == null) { // tasks of an unreachable node may have ended long ago
      since = began - CLOCK_MILLIS;
    }
    Duration wait = pause.after(told, Duration.ofNanos(searched));
    told = false;
    if (wait.isZero()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return Patterns.after(
        wait,
        backend.system().classicSystem(),
        () -> CompletableFuture.completedFuture(List.<ServerSentEvent>of()));
  }

  private static ServerSentEvent output(
      TaskOutputParts part, OutputStreamName stream, AgentMessage.Output output) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("task", part.task().id().toString());
    data.put("attempt", part.attempt());
    data.put("offset", output.offset());
    if (output.dropped() > 0) {
      data.put("dropped", output.dropped());
    }
    if (output.place() != null && output.size() > output.end()) {
      data.put("place", output.place());
      data.put("size", output.size());
    }
    data.put("data", Base64.getEncoder().encodeToString(output.bytes()));
    return event(stream == OutputStreamName.OUT ? "out" : "err", data);
  }

  private static ServerSentEvent event(String type, Object data) {
    return ServerSentEvent.create(
        new String(JsonResponses.bytes(data), StandardCharsets.UTF_8), type);
  }
}
