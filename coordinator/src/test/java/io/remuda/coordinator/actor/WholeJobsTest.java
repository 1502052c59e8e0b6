package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.commit.RegistryRestore;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.testkit.SeenOrders;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is done to a whole job holds once it is acknowledged, also when the server is killed before
 * all tasks have followed. Attack H2.
 */
@Tag("attack")
@Tag("attack-bad-request")
@Timeout(60)
class WholeJobsTest {

  private static final JobId ONE = new JobId(1);
  private static final int MILLION = 1_000_000;

  @TempDir private Path folder;
  private StoreOpener.Opened store;
  private TaskRegistry tasks;
  private JobChangeRowConverter jobRows;
  private final NodeRegistry nodes = new NodeRegistry();

  @BeforeEach
  void open() throws Exception {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
    restart();
  }

  @AfterEach
  void close() {
    store.journal().close();
  }

  private void restart() throws Exception {
    store = StoreOpener.open(folder, Clock.systemUTC());
    tasks =
        new TaskRegistry(
            new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
    jobRows = new JobChangeRowConverter(store.state(), Clock.systemUTC());
    RegistryRestore.into(tasks, store.state(), System.currentTimeMillis(), 1);
  }

  /** All that is durable stays, and nothing else. */
  private void kill() throws Exception {
    store.journal().close();
    restart();
  }

  private void commit(List<StoreChange> entries) throws InterruptedException {
    CountDownLatch durable = new CountDownLatch(1);
    store.journal().append(entries, durable::countDown);
    assertTrue(durable.await(60, TimeUnit.SECONDS), () -> store.journal().trouble().toString());
  }

  private void publish(List<TaskChange> changes) throws InterruptedException {
    commit(jobRows.changed(changes, tasks));
  }

  private void submit(int count) throws InterruptedException {
    JobSpec job =
        new JobSpec(
            jobRows.newId(1),
            UUID.randomUUID(),
            "job",
            "ann",
            false,
            new ResourceRequest(0, 0),
            1,
            JobTerms.USUAL,
            Collections.nCopies(
                count, new CommandWorkload(List.of("true"), Map.of("A", "b"), "/", 022)));
    tasks.submit(job, Set.of(), ImmediateOrHeldStart.AT_ONCE, 1);
    commit(jobRows.added(job, TaskState.WAITING, List.of(), null));
  }

  /** Each task of the job has been placed once, and waits again. */
  private void touchAll() throws InterruptedException {
    publish(SeenOrders.schedule(tasks, nodes, 1));
    TaskEnd notBegun = TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, "its turn did not come");
    List<TaskReport> given =
        tasks.placed().stream()
            .map(task -> new TaskReport(task.attemptId(), TaskPhase.REFUSED, 0, null, notBegun))
            .toList();
    publish(tasks.reported("n1", given, 1, 1));
  }

  private void followAll() throws InterruptedException {
    while (tasks.isUnsettled()) {
      publish(tasks.settle(1));
    }
  }

  private Map<TaskState, Integer> counts() {
    return tasks.counts(ONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void an_acknowledged_cancel_goes_on_after_a_crash_between_portions(int portions)
      throws Exception {
    submit(3500);
    touchAll();
    publish(tasks.requests().cancel(ONE, "cancelled by ann", 1)); // is acknowledged now
    for (int i = 0; i < portions; i++) {
      publish(tasks.settle(1));
    }
    kill();
    assertEquals(
        TaskState.CANCELLED, tasks.live(ONE).map(LiveJob::base).orElse(TaskState.CANCELLED));
    publish(SeenOrders.schedule(tasks, nodes, 2));
    assertEquals(List.of(), tasks.placed(), "nothing of it starts");
    followAll();
    try (StoreReader reader = store.store().reader()) {
      assertEquals(TaskState.CANCELLED, reader.job(ONE).orElseThrow().state());
      assertEquals("cancelled by ann", reader.job(ONE).orElseThrow().reason());
      List<TaskRow> rows = new ArrayList<>();
      StoreReader.RowBatch<TaskRow> part = new StoreReader.RowBatch<>(List.of(), true);
      while (part.more()) {
        part = reader.tasks(ONE, rows.size(), 5000);
        rows.addAll(part.rows());
      }
      assertEquals(3500, rows.size());
      assertTrue(rows.stream().allMatch(row -> row.state() == TaskState.CANCELLED));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_small_job_beyond_the_bound_of_one_step_is_one_row_and_its_tasks_follow(boolean touched)
      throws Exception {
    submit(500);
    if (touched) {
      touchAll();
    }
    List<TaskChange> changes = new ArrayList<>();
    tasks.requests().bounded(0, () -> changes.addAll(tasks.requests().hold(ONE, 1)));
    tasks.requests().bounded(0, () -> changes.addAll(tasks.requests().cancel(ONE, "by ann", 1)));
    assertEquals(touched ? 0 : 2, changes.size());
    publish(changes);
    kill();
    followAll();
    try (StoreReader reader = store.store().reader()) {
      assertEquals(TaskState.CANCELLED, reader.job(ONE).orElseThrow().state());
      List<TaskRow> rows = reader.tasks(ONE, 0, 1000).rows();
      assertEquals(500, rows.size());
      assertTrue(rows.stream().allMatch(row -> row.state() == TaskState.CANCELLED));
      assertTrue(rows.stream().allMatch(row -> row.cause().equals("by ann")));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void a_hold_and_a_release_go_on_after_a_crash_between_portions(int portions) throws Exception {
    submit(3500);
    touchAll();
    publish(tasks.requests().hold(ONE, 1));
    for (int i = 0; i < portions; i++) {
      publish(tasks.settle(1));
    }
    kill();
    publish(SeenOrders.schedule(tasks, nodes, 2));
    assertEquals(List.of(), tasks.placed(), "it is on hold");
    followAll();
    assertEquals(Map.of(TaskState.HELD, 3500), counts());
    publish(tasks.requests().release(ONE, 1));
    kill();
    followAll();
    assertEquals(Map.of(TaskState.WAITING, 3500), counts());
    publish(SeenOrders.schedule(tasks, nodes, 2));
    assertEquals(Map.of(TaskState.STARTING, 3500), counts());
  }

  @Test
  void a_million_tasks_are_held_released_and_cancelled_over_restarts() throws Exception {
    submit(MILLION);
    kill();
    publish(tasks.requests().hold(ONE, 1));
    kill();
    assertEquals(Map.of(TaskState.HELD, MILLION), counts());
    publish(tasks.requests().release(ONE, 1));
    kill();
    assertEquals(Map.of(TaskState.WAITING, MILLION), counts());
    assertFalse(tasks.isUnsettled());
    publish(tasks.requests().cancel(ONE, "cancelled by ann", 1));
    kill();
    assertTrue(tasks.job(ONE).isEmpty(), "it is over");
    try (StoreReader reader = store.store().reader()) {
      TaskRow last = reader.tasks(ONE, MILLION - 1, 10).rows().get(0);
      assertEquals(TaskState.CANCELLED, last.state());
      assertEquals("cancelled by ann", last.cause());
      assertEquals(List.of(), reader.tasks(ONE, MILLION, 10).rows());
    }
  }

  @Test
  void what_had_ended_before_a_restart_counts_at_the_end() throws Exception {
    submit(3);
    publish(SeenOrders.schedule(tasks, nodes, 1));
    publish(
        tasks.reported(
            "n1", List.of(exited(placed(0), 0), exited(placed(1), 7), running(placed(2))), 1, 1));
    kill();
    assertEquals(
        Map.of(TaskState.SUCCEEDED, 1, TaskState.FAILED, 1, TaskState.RUNNING, 1), counts());
    publish(tasks.joined("n1", List.of(exited(placed(2), 0)), 2));
    try (StoreReader reader = store.store().reader()) {
      assertEquals(TaskState.FAILED, reader.job(ONE).orElseThrow().state());
      assertEquals("1.1: exit code 7", reader.job(ONE).orElseThrow().reason());
      assertEquals(7, reader.job(ONE).orElseThrow().exitCode());
    }
  }

  private AttemptId placed(int index) {
    return tasks.find(new TaskId(ONE, index)).orElseThrow().attemptId();
  }

  private static TaskReport exited(AttemptId attempt, int code) {
    return new TaskReport(
        attempt,
        TaskPhase.ENDED,
        0,
        null,
        new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, null, "exit code " + code, null, null, null));
  }

  private static TaskReport running(AttemptId attempt) {
    return new TaskReport(attempt, TaskPhase.RUNNING, 4711, null, null);
  }
}
