package io.remuda.coordinator.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.StartPermission;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.JobRows;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobDependency;
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
import java.util.ArrayList;
import java.util.Collections;
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

/** What keeps jobs from starting is known again after a restart of the server. */
@Timeout(60)
class StartGatesRestoreTest {

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
  }

  private void submit(int count, JobTerms terms) throws Exception {
    JobSpec job =
        new JobSpec(
            jobRows.newId(),
            UUID.randomUUID(),
            "job",
            "ann",
            false,
            new ResourceRequest(1, 0),
            1,
            terms,
            Collections.nCopies(
                count, new CommandWorkload(List.of("sleep", "9"), Map.of(), "/", 022)));
    tasks.submit(job, Set.copyOf(terms.after()), StartPermission.AT_ONCE, now());
    TaskState first = tasks.stateOf(job.id()).orElseThrow();
    commit(jobRows.added(job, first, terms.after(), null));
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

  private void tick() throws InterruptedException {
    publish(tasks.tick(now()));
    publish(tasks.begin(jobRows.wallMillis(), now()));
    publish(tasks.schedule(nodes.all(), node -> 1, now()));
  }

  private void report(String... lines) throws InterruptedException {
    List<TaskReport> reports = new ArrayList<>();
    for (String line : lines) {
      TaskId task = TaskId.parse(line.split(" ")[0]);
      AttemptId attempt = ((PlacedTask) tasks.find(task).orElseThrow()).attemptId();
      String how = line.split(" ")[1];
      reports.add(
          how.equals("runs")
              ? new TaskReport(attempt, TaskPhase.RUNNING, 4711, null, null)
              : new TaskReport(attempt, TaskPhase.ENDED, 0, null, exited(Integer.parseInt(how))));
    }
    publish(tasks.reported("n1", reports, 9, now()));
  }

  private static TaskEnd exited(int code) {
    return new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, null, "exit code " + code, null, null, null);
  }

  private TaskState state(String task) {
    return tasks.find(TaskId.parse(task)).orElseThrow().state();
  }

  @Test
  void a_job_begins_at_its_time_though_the_server_was_down_then() throws Exception {
    submit(1, JobTerms.USUAL.withBegin(wall.millis() + 60_000));
    submit(1, JobTerms.USUAL.withBegin(wall.millis() + 120_000));
    restart();
    tick();
    assertEquals(TaskState.SUBMITTED, state("1.0"));
    after(Duration.ofSeconds(61));
    restart();
    tick();
    assertEquals(TaskState.STARTING, state("1.0"));
    assertEquals(TaskState.SUBMITTED, state("2.0"));
  }

  @Test
  void a_job_after_one_of_several_still_waits_for_the_others_after_a_restart() throws Exception {
    submit(1, JobTerms.USUAL);
    submit(1, JobTerms.USUAL);
    List<JobDependency> both = List.of(JobDependency.parse("1"), JobDependency.parse("2"));
    submit(1, JobTerms.USUAL.withAfterOne(both));
    tick();
    report("1.0 runs", "2.0 runs");
    report("1.0 1", "2.0 runs");
    restart();
    report("2.0 runs");
    assertEquals(TaskState.SUBMITTED, state("3.0"));
    report("2.0 0");
    restart();
    tick();
    assertEquals(TaskState.STARTING, state("3.0"));
  }

  @Test
  void tasks_whose_predecessors_had_succeeded_start_after_a_restart() throws Exception {
    submit(3, JobTerms.USUAL);
    submit(3, JobTerms.USUAL.withAfter(List.of(JobDependency.parse("1:each"))));
    tick();
    report("1.0 runs", "1.1 runs", "1.2 runs");
    report("1.0 0", "1.1 1", "1.2 runs");
    restart();
    report("1.2 runs");
    tick();
    assertEquals(TaskState.STARTING, state("2.0"));
    assertEquals(TaskState.CANCELLED, state("2.1"));
    assertEquals(TaskState.SUBMITTED, state("2.2"));
    restart();
    report("1.2 0", "2.0 runs");
    tick();
    assertEquals(TaskState.STARTING, state("2.2"));
  }
}
