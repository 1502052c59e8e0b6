package io.remuda.coordinator.commit;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.HostInfo;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test with a registry over a real state file, whose server ends and starts again. */
@Timeout(60)
abstract class WithStoredRegistry {

  /** Where the monotonic clock of a server begins. */
  private static final long MONOTONIC = 77_000_000_000L;

  @TempDir private Path folder;
  private final WallClock wall = new WallClock();
  private final NodeRegistry nodes = new NodeRegistry();
  private long millisAtStart;
  StoreOpener.Opened store;
  CoordinatorPersistence durable;
  TaskRegistry tasks;

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
  }

  @AfterEach
  void close() {
    store.journal().close();
  }

  private void start() throws Exception {
    store = StoreOpener.open(folder, wall);
    durable = CoordinatorPersistence.over(store.journal(), store.state(), wall);
    tasks =
        new TaskRegistry(
            new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
    millisAtStart = wall.millis();
    durable.restore(tasks, now());
  }

  /** The server ends, and another one opens its state. */
  void restart() throws Exception {
    store.journal().close();
    start();
  }

  long now() {
    return MONOTONIC + (wall.millis() - millisAtStart) * 1_000_000;
  }

  long wallMillis() {
    return wall.millis();
  }

  void after(Duration passed) {
    wall.millis += passed.toMillis();
  }

  /** The next job, whose number is one above that of the last, with tasks of one core each. */
  JobId submit(int count, JobTerms terms) throws InterruptedException {
    JobSpec job =
        new JobSpec(
            durable.jobRows().newId(1),
            UUID.randomUUID(),
            "job",
            "ann",
            false,
            new ResourceRequest(1, 0),
            1,
            terms,
            Collections.nCopies(
                count, new CommandWorkload(List.of("sleep", "9"), Map.of(), "/", 022)));
    tasks.submit(job, Set.copyOf(terms.after()), ImmediateOrHeldStart.AT_ONCE, now());
    TaskState first = tasks.stateOf(job.id()).orElseThrow();
    commit(durable.jobRows().added(job, first, terms.after(), null));
    return job.id();
  }

  /** Returns once these rows are durable. */
  void commit(List<StoreChange> entries) throws InterruptedException {
    CountDownLatch committed = new CountDownLatch(1);
    durable.durableLog().append(entries, committed::countDown);
    Assertions.assertTrue(committed.await(60, TimeUnit.SECONDS));
  }

  void publish(List<TaskChange> changes) throws InterruptedException {
    commit(durable.jobRows().changed(changes, tasks));
  }

  /** Tasks are placed where there is room. */
  void schedule() throws InterruptedException {
    publish(SeenOrders.schedule(tasks, nodes, now()));
  }

  void tick() throws InterruptedException {
    publish(tasks.tick(now()));
    publish(tasks.begin(wallMillis(), now()));
    schedule();
  }

  /** The node reports the newest attempts of tasks: {@code 1.0 runs} or, ended, {@code 1.0 3}. */
  void report(String... lines) throws InterruptedException {
    List<TaskReport> reports = List.of(lines).stream().map(this::read).toList();
    publish(tasks.reported("n1", reports, 9, now()));
  }

  private TaskReport read(String line) {
    String how = line.split(" ")[1];
    return how.equals("runs")
        ? of(line.split(" ")[0], TaskPhase.RUNNING, null)
        : of(line.split(" ")[0], TaskPhase.ENDED, exited(Integer.parseInt(how)));
  }

  TaskReport of(String task, TaskPhase phase, TaskEnd end) {
    PlacedTask placed = (PlacedTask) tasks.find(TaskId.parse(task)).orElseThrow();
    return new TaskReport(placed.attemptId(), phase, 4711, null, end);
  }

  private static TaskEnd exited(int code) {
    return new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, null, "exit code " + code, null, null, null);
  }

  TaskState state(String task) {
    return tasks.find(TaskId.parse(task)).orElseThrow().state();
  }
}
