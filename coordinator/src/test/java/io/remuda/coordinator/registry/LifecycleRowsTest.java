package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.killed;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.refused;
import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.starting;
import static io.remuda.coordinator.registry.TaskReports.stuck;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.Lifecycle.Row;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Visits every row of the lifecycle through the registry. A row that is added without a way to get
 * there fails here.
 */
class LifecycleRowsTest {
  private static final Map<TaskState, Consumer<TestCluster>> REACH = new EnumMap<>(TaskState.class);
  private static final Map<TaskTrigger, Consumer<TestCluster>> CAUSE =
      new EnumMap<>(TaskTrigger.class);

  @BeforeAll
  static void ways() {
    REACH.put(
        TaskState.SUBMITTED,
        cluster -> cluster.node("n1", "A").job(9, 1, 9).jobAfter(1, "9:any", 1));
    REACH.put(
        TaskState.HELD,
        cluster -> cluster.node("n1", "A").job(9, 1, 9).heldJobAfter(1, "9:any", 1));
    REACH.put(TaskState.WAITING, cluster -> cluster.node("n1", "A").limited().job(1, 1, 1));
    REACH.put(TaskState.STARTING, cluster -> reach(TaskState.WAITING, cluster).schedule());
    REACH.put(
        TaskState.RUNNING,
        cluster -> reach(TaskState.STARTING, cluster).reported("n1", running("1.0.1")));
    REACH.put(TaskState.UNKNOWN, cluster -> reach(TaskState.RUNNING, cluster).silent("n1"));
    REACH.put(TaskState.STOPPING, cluster -> reach(TaskState.RUNNING, cluster).leave(1));
    REACH.put(TaskState.ENDING, cluster -> reach(TaskState.RUNNING, cluster).cancel(1));

    CAUSE.put(TaskTrigger.READY, cluster -> cluster.cancel(9));
    CAUSE.put(TaskTrigger.HOLD, cluster -> cluster.hold(1));
    CAUSE.put(TaskTrigger.RELEASE, cluster -> cluster.release(1));
    CAUSE.put(TaskTrigger.OVERDUE, cluster -> cluster.after(Duration.ofDays(1)).tick());
    CAUSE.put(TaskTrigger.PLACED, TestCluster::schedule);
    CAUSE.put(TaskTrigger.SEEN_RUNNING, cluster -> cluster.joined("n1", running("1.0.1")));
    CAUSE.put(
        TaskTrigger.EPOCH_DONE,
        cluster ->
            cluster.joined("n1", running("1.0.1").with(TrainingProgress.NONE.done(1, 1000, 1))));
    CAUSE.put(TaskTrigger.SEEN_STARTING, cluster -> cluster.joined("n1", starting("1.0.1")));
    CAUSE.put(TaskTrigger.REFUSED, cluster -> cluster.joined("n1", refused("1.0.1", "busy")));
    CAUSE.put(TaskTrigger.NODE_SILENT, cluster -> cluster.silent("n1"));
    CAUSE.put(TaskTrigger.NOT_GONE, cluster -> cluster.joined("n1", stuck("1.0.1", "it stays")));
    CAUSE.put(TaskTrigger.INTERRUPTED, cluster -> cluster.joined("n1", killed("1.0.1")));
    CAUSE.put(TaskTrigger.INTERRUPTED_TOO_OFTEN, cluster -> cluster.joined("n1", killed("1.0.1")));
    CAUSE.put(
        TaskTrigger.FINISHED,
        cluster ->
            cluster.told("1.0.1", 1, new WorkerEvent.PoolDone(0)).joined("n1", exited("1.0.1", 0)));
    CAUSE.put(
        TaskTrigger.BROKE,
        cluster ->
            cluster
                .told("1.0.1", 1, new WorkerEvent.Failed("no data"))
                .joined("n1", exited("1.0.1", 3)));
    CAUSE.put(TaskTrigger.START_AGAIN, cluster -> cluster.joined("n1", refused("1.1.1", "busy")));
    CAUSE.put(TaskTrigger.CANCEL, cluster -> cluster.cancel(1));
    CAUSE.put(TaskTrigger.PREEMPT, cluster -> cluster.leave(1));
    CAUSE.put(TaskTrigger.PREEMPTED, cluster -> cluster.joined("n1", left("1.0.1")));
    CAUSE.put(TaskTrigger.GONE_OVERDUE, cluster -> cluster.reported("n1"));
    CAUSE.put(TaskTrigger.GONE, cluster -> cluster.reported("n1"));
  }

  private static TestCluster reach(TaskState state, TestCluster cluster) {
    Consumer<TestCluster> way = REACH.get(state);
    assertNotNull(way, "no test knows how a task becomes " + state);
    way.accept(cluster);
    return cluster;
  }

  /** A cluster in which one interruption is too many if the row's trigger says so. */
  private static TestCluster clusterFor(TaskTrigger trigger) {
    return trigger == TaskTrigger.INTERRUPTED_TOO_OFTEN
        ? new TestCluster(
            new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)))
        : new TestCluster();
  }

  private static TestCluster before(Row row) {
    if (row.from() == TaskState.STOPPING && row.trigger() == TaskTrigger.INTERRUPTED) {
      JobTerms retried = new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 1, null);
      return new TestCluster()
          .node("n1", "A")
          .commands()
          .terms(retried)
          .job(1, 1, 1)
          .schedule()
          .reported("n1", running("1.0.1"))
          .leave(1);
    }
    if (row.trigger() == TaskTrigger.START_AGAIN) {
      JobTerms gang = new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null);
      return new TestCluster()
          .node("n1", "A", "B")
          .commands()
          .terms(gang)
          .job(1, 2, 1)
          .schedule()
          .reported("n1", exited("1.0.1", 0), starting("1.1.1"));
    }
    boolean hasResult = row.trigger() == TaskTrigger.FINISHED || row.trigger() == TaskTrigger.BROKE;
    if (row.from() == TaskState.ENDING && hasResult) {
      return reach(TaskState.ENDING, new TestCluster().commands());
    }
    if (row.trigger() == TaskTrigger.GONE_OVERDUE) {
      return reach(TaskState.RUNNING, new TestCluster()).after(Duration.ofDays(1)).tick();
    }
    if (row.trigger() == TaskTrigger.OVERDUE && row.from() != TaskState.RUNNING) {
      return begunBefore(row.from());
    }
    return row.from() == TaskState.ENDING && row.trigger() == TaskTrigger.REFUSED
        ? reach(TaskState.STARTING, new TestCluster()).stop()
        : reach(row.from(), clusterFor(row.trigger()));
  }

  /** A job with a time limit of the whole that has run before, in a state. */
  private static TestCluster begunBefore(TaskState state) {
    TestCluster cluster =
        new TestCluster()
            .commands()
            .terms(JobTerms.USUAL.with(draft -> draft.jobTimeLimitMillis = 60_000))
            .node("n1", "A");
    cluster.job(1, 1, 1).schedule().reported("n1", running("1.0.1"));
    if (state == TaskState.UNKNOWN) {
      return cluster.silent("n1");
    }
    cluster.leave(1);
    if (state == TaskState.STOPPING) {
      return cluster;
    }
    cluster.reported("n1", left("1.0.1"));
    return switch (state) {
      case HELD -> cluster.hold(1);
      case STARTING -> cluster.schedule();
      default -> cluster;
    };
  }

  static Stream<Row> rows() {
    return Lifecycle.ROWS.stream();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void every_row_is_taken(Row row) {
    TestCluster cluster = before(row);
    assertEquals(row.from(), cluster.state("1.0"));
    cluster.changes.clear();
    Consumer<TestCluster> cause = CAUSE.get(row.trigger());
    assertNotNull(cause, "no test knows how to cause " + row.trigger());
    cause.accept(cluster);
    assertEquals(
        List.of(row),
        cluster.changes.stream()
            .filter(change -> change.attempt().task().equals(TaskId.parse("1.0")))
            .map(change -> new Row(change.from(), change.trigger(), change.to(), row.actions()))
            .toList());
    assertEquals(row.to(), cluster.state("1.0"));
    assertEquals(row.to().holdsPlace() ? "n1[A]" : "-", cluster.place("1.0"));
  }
}
