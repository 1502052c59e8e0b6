package io.remuda.coordinator.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Jobs and tasks as tests of the store write them. */
public final class StoreSamples {

  public static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(1_800_000_000_000L), ZoneOffset.UTC);

  private StoreSamples() {}

  public static JobSpec spec(long id, int tasks) {
    return spec(id, tasks, Map.of("A", "1", "B", ""));
  }

  static JobSpec spec(long id, int tasks, Map<String, String> environment) {
    return new JobSpec(
        new JobId(id),
        new UUID(1, id),
        "job" + id,
        "ann",
        false,
        new ResourceRequest(0.5, 1, 1 << 20, 1 << 30, "H200", Map.of("zone", "a")),
        1,
        new JobTerms(
            false,
            PlacementPolicy.SPREAD,
            3,
            List.of(JobDependency.parse("7:any")),
            60_000,
            2,
            "t"),
        Collections.nCopies(
            tasks,
            new CommandWorkload(
                List.of("/bin/echo", "\u00e4 b", "" + id), environment, "/tmp", 022)));
  }

  public static JobRow row(JobSpec spec, TaskState state, long ended) {
    return new JobRow(
        spec.id(),
        spec.uuid(),
        spec.user(),
        spec.name(),
        state,
        TaskState.WAITING,
        spec.tasks().size(),
        1000,
        state.isBefore() ? 0 : 2000,
        ended,
        ended > 0 ? "because" : null,
        ended > 0 ? 3 : null,
        List.of(JobDependency.parse("7:any")),
        "key" + spec.id(),
        null,
        GangStart.NONE);
  }

  public static TaskRow task(long job, int index, TaskState state) {
    return task(
        job, index, state, new TaskEnd(TaskEnd.Kind.BY_ITSELF, 3, null, "exit code 3", 5L, 6L, 7L));
  }

  /** A task whose last attempt that is over ended so. */
  public static TaskRow task(long job, int index, TaskState state, TaskEnd end) {
    return new TaskRow(
        new TaskId(new JobId(job), index),
        state,
        2,
        "n1",
        List.of(new DeviceId("GPU-1")),
        2000,
        state.isFinal() ? 3000 : 0,
        1,
        0,
        EndReason.ON_REQUEST,
        "cause",
        end,
        state.isFinal() ? 0 : 8,
        state.isFinal() ? 0 : 9,
        state.isFinal() ? 0 : 10,
        state.isFinal() ? 0 : 11,
        "",
        0,
        0,
        null,
        0);
  }

  /** The only task of a job, in its first attempt. */
  static TaskRow first(long job, TaskState state, long ended, TaskEnd end) {
    TaskRow plain = plain(new TaskId(new JobId(job), 0), state, 1, "n1", ended, null);
    return new TaskRow(
        plain.id(),
        state,
        plain.attempt(),
        plain.node(),
        plain.devices(),
        plain.started(),
        ended,
        0,
        0,
        plain.ending(),
        null,
        end,
        0,
        0,
        0,
        0,
        "",
        0,
        0,
        null,
        0);
  }

  /** A task that has succeeded on a node. */
  public static TaskRow succeeded(String node, long job, int index) {
    return plain(new TaskId(new JobId(job), index), TaskState.SUCCEEDED, 1, node, 3000, null);
  }

  /** A task that was cancelled while it ran. */
  static TaskRow cancelled(long job, int index, String cause) {
    return plain(new TaskId(new JobId(job), index), TaskState.CANCELLED, 2, "n1", 3000, cause);
  }

  /**
   * A task without devices that did nothing remarkable.
   *
   * @param ended milliseconds since 1970, 0 if it has not ended
   */
  static TaskRow plain(
      TaskId id, TaskState state, int attempt, String node, long ended, String cause) {
    return new TaskRow(
        id,
        state,
        attempt,
        node,
        List.of(),
        2000,
        ended,
        0,
        0,
        EndReason.ON_REQUEST,
        cause,
        null,
        0,
        0,
        0,
        0,
        "",
        0,
        0,
        null,
        0);
  }

  /** A waiting training that has left its place three times, after four epochs. */
  public static TaskRow preempted(long job, int index) {
    TaskRow once = task(job, index, TaskState.WAITING);
    return new TaskRow(
        once.id(),
        once.state(),
        once.attempt(),
        once.node(),
        once.devices(),
        once.started(),
        once.ended(),
        once.interruptions(),
        once.crashes(),
        once.ending(),
        once.cause(),
        once.end(),
        0,
        0,
        0,
        0,
        "",
        3,
        90_000,
        new TrainingProgress(4, 61_000, 65_000, 9_000, 1_700_000_000_000L, true, 0.25, 1024L, 87),
        2);
  }

  public static void write(JournalWriter journal, StoreChange... entries)
      throws InterruptedException {
    CountDownLatch durable = new CountDownLatch(1);
    journal.append(List.of(entries), durable::countDown);
    assertTrue(durable.await(60, TimeUnit.SECONDS), () -> journal.trouble().toString());
  }

  /** What a state says of jobs, without the epoch, which each start raises. */
  static List<Object> jobsOf(StoreState state) {
    return List.of(state.jobs(), state.tasks());
  }

  /** Makes the newest schema the fifth again. */
  static void makeFifth(Statement statement) throws SQLException {
    statement.execute("DROP TABLE drained_gpus");
    statement.execute("ALTER TABLE drained DROP COLUMN reason");
    statement.execute("DROP TABLE usage");
    statement.execute("DROP TABLE notices");
    statement.execute("ALTER TABLE users DROP COLUMN limits");
    statement.execute("ALTER TABLE jobs DROP COLUMN gang");
    statement.execute("ALTER TABLE jobs DROP COLUMN epochs");
    statement.execute("ALTER TABLE tasks DROP COLUMN gpus");
    statement.execute("ALTER TABLE tasks DROP COLUMN training");
    statement.execute("ALTER TABLE tasks DROP COLUMN lost_millis");
    statement.execute("ALTER TABLE tasks DROP COLUMN preemptions");
    statement.execute("DROP TABLE lineage");
    statement.execute("DELETE FROM meta WHERE key IN ('birth', 'commits')");
    statement.execute("ALTER TABLE tasks DROP COLUMN tag");
    statement.execute("PRAGMA user_version = 5");
  }

  /** Brings the tables of a file back to the second schema. */
  static void makeSecond(Statement statement) throws SQLException {
    makeThird(statement);
    statement.execute("DROP INDEX specs_by_environment");
    statement.execute("ALTER TABLE specs DROP COLUMN environment");
    statement.execute("PRAGMA user_version = 2");
  }

  /** Makes the newest schema the third again, without rows of what came later. */
  static void makeThird(Statement statement) throws SQLException {
    makeFifth(statement);
    statement.execute("DROP TABLE profiles");
    statement.execute("ALTER TABLE tasks DROP COLUMN memory_floor");
    statement.execute("ALTER TABLE tasks DROP COLUMN gpu_floor");
    statement.execute("ALTER TABLE tasks DROP COLUMN gpu_memory");
    statement.execute("PRAGMA user_version = 3");
  }
}
