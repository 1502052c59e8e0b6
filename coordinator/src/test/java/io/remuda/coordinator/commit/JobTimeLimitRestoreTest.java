package io.remuda.coordinator.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.StartPermission;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.JobRows;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The time limit of a whole job counts from its first start, also over restarts of the server. */
@Timeout(60)
class JobTimeLimitRestoreTest {

  private static final JobId ONE = new JobId(1);

  /** Where the monotonic clock of a server begins. */
  private static final long MONOTONIC = 77_000_000_000L;

  @TempDir private Path folder;
  private final WallClock wall = new WallClock();
  private final NodeRegistry nodes = new NodeRegistry();
  private Store.Opened store;
  private TaskRegistry tasks;
  private JobRows jobRows;
  private long millisAtStart;

  /** A clock that the test moves. */
  private static final class WallClock extends Clock {
    private long millis = 1_800_000_000_000L;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }
  }

  @BeforeEach
  void open() throws Exception {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
    start();
    JobSpec job =
        new JobSpec(
            jobRows.newId(),
            UUID.randomUUID(),
            "job",
            "ann",
            false,
            new ResourceRequest(1, 0),
            1,
            JobTerms.USUAL.withJobLimits(0, 60_000),
            List.of(new CommandWorkload(List.of("sleep", "9"), Map.of(), "/", 022)));
    tasks.submit(job, Set.of(), StartPermission.AT_ONCE, now());
    commit(jobRows.added(job, TaskState.WAITING, List.of(), null));
  }

  @AfterEach
  void close() {
    store.journal().close();
  }

  private void start() throws Exception {
    store = Store.open(folder, wall);
    tasks =
        new TaskRegistry(
            new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
    jobRows = new JobRows(store.state(), wall);
    millisAtStart = wall.millis();
    RegistryRestore.into(tasks, store.state(), wall.millis(), now());
  }

  private void restart() throws Exception {
    store.journal().close();
    start();
  }

  private long now() {
    return MONOTONIC + (wall.millis() - millisAtStart) * 1_000_000;
  }

  private void after(Duration passed) {
    wall.millis += passed.toMillis();
  }

  private void commit(List<LogEntry> entries) throws InterruptedException {
    CountDownLatch durable = new CountDownLatch(1);
    store.journal().append(entries, durable::countDown);
    durable.await(20, TimeUnit.SECONDS);
  }

  private void publish(List<TaskChange> changes) throws InterruptedException {
    commit(jobRows.changed(changes, tasks));
  }

  private void reported(int attempt, TaskPhase phase, TaskEnd end) throws InterruptedException {
    AttemptId id =
        tasks.placed().isEmpty()
            ? new AttemptId(new TaskId(ONE, 0), attempt)
            : tasks.placed().get(0).attemptId();
    TaskReport report = new TaskReport(id, phase, 4711, null, end);
    publish(tasks.reported("n1", List.of(report), 9, now()));
  }

  private void placed() throws InterruptedException {
    publish(tasks.schedule(nodes.all(), node -> 1, now()));
  }

  private void leaves() throws InterruptedException {
    publish(tasks.requests().leave(ONE, "requeued", now()));
    reported(1, TaskPhase.ENDED, TaskEnd.because(TaskEnd.Kind.ON_REQUEST, "no longer wanted"));
    assertEquals(TaskState.WAITING, tasks.stateOf(ONE).orElseThrow());
  }

  private TaskState afterTick() throws InterruptedException {
    publish(tasks.tick(now()));
    return tasks.stateOf(ONE).orElseThrow();
  }

  @Test
  void a_task_that_waits_again_has_begun_before_the_restart() throws Exception {
    placed();
    reported(1, TaskPhase.RUNNING, null);
    after(Duration.ofSeconds(20));
    leaves();
    restart();
    after(Duration.ofSeconds(40));
    assertEquals(TaskState.WAITING, afterTick());
    after(Duration.ofMillis(1));
    assertEquals(TaskState.FAILED, afterTick());
    assertEquals(
        "time limit of the job, 1 min, passed",
        tasks.live(ONE).orElseThrow().reason(TaskState.FAILED));
  }

  @Test
  void a_second_start_does_not_begin_it_again() throws Exception {
    placed();
    reported(1, TaskPhase.RUNNING, null);
    after(Duration.ofSeconds(20));
    leaves();
    after(Duration.ofSeconds(20));
    placed();
    reported(2, TaskPhase.RUNNING, null);
    restart();
    reported(2, TaskPhase.RUNNING, null);
    after(Duration.ofSeconds(20));
    assertEquals(TaskState.RUNNING, afterTick());
    after(Duration.ofMillis(1));
    assertEquals(TaskState.ENDING, afterTick());
  }

  @Test
  void a_task_that_has_only_been_placed_has_not_begun() throws Exception {
    placed();
    restart();
    after(Duration.ofHours(1));
    reported(1, TaskPhase.RUNNING, null);
    assertEquals(TaskState.RUNNING, afterTick());
  }
}
