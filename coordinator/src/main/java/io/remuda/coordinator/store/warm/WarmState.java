package io.remuda.coordinator.store.warm;

import io.remuda.coordinator.registry.policy.ServerMemoryEstimate;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.Workload;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member that does not lead keeps of the live jobs, so that it opens the state in a moment
 * when it is to lead: then it reads the checksums of all rows, and only those rows that it does not
 * have. So what is kept here may be behind, and never decides what the state is.
 *
 * <p>The events say which rows have changed; each call of {@link #follow} reads these. Thread-safe.
 */
public final class WarmState {

  /** Events read in one step: a busy leader writes about a thousand a second. */
  static final int MOST_EVENTS = 5000;

  private static final Logger LOG = LoggerFactory.getLogger(WarmState.class);

  /** How far the reading ahead is. */
  public enum Progress {
    /** More has changed than was read. */
    MORE,
    /** All was read. */
    UP_TO_DATE,
    /** Nothing is read ahead any more. */
    OVER
  }

  private enum Phase {
    EMPTY,
    READ,
    OVER
  }

  private final WarmTable<JobId, JobRow> jobs = WarmTable.ofJobs();
  private final WarmTable<JobId, JobSpecCodec.Alike> specs = WarmTable.ofSpecs();
  private final WarmTable<TaskId, TaskRow> tasks = WarmTable.ofTasks();
  private final long mostBytes;
  private volatile Phase phase = Phase.EMPTY;

  /** The newest event that was followed. */
  private long last;

  /**
   * @param mostBytes memory that the rows may use, by the estimates of {@link
   *     ServerMemoryEstimate}; with more nothing is read ahead
   */
  public WarmState(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Rows to open the state with; each table for one thread. */
  public record Rows(
      WarmTable<JobId, JobRow> jobs,
      WarmTable<JobId, JobSpecCodec.Alike> specs,
      WarmTable<TaskId, TaskRow> tasks) {}

  private record Changed(long sequence, JobId job, int task) {}

  /**
   * Reads what has changed since the call before; the first one reads all. It is over once the rows
   * were taken, use too much memory, or are damaged: then who is to lead reads the state, and says
   * what is wrong with it.
   *
   * @param connection in no transaction
   */
  public synchronized Progress follow(Connection connection) throws SQLException {
    try {
      Progress progress =
          switch (phase) {
            case EMPTY -> readAll(connection);
            case READ -> readChanges(connection);
            case OVER -> Progress.OVER;
          };
      return progress == Progress.OVER || isSmallEnough() ? progress : over("too many jobs");
    } catch (StoreDamagedException damaged) {
      return over(damaged.getMessage());
    }
  }

  private Progress over(String why) {
    LOG.warn("the live jobs are not read ahead any more: {}", why);
    phase = Phase.OVER;
    jobs.clear();
    specs.clear();
    tasks.clear();
    return Progress.OVER;
  }

  private boolean isSmallEnough() {
    return ServerMemoryEstimate.JOB * jobs.size() + ServerMemoryEstimate.TOUCHED * tasks.size()
        <= mostBytes;
  }

  private Progress readChanges(Connection connection) throws SQLException, StoreDamagedException {
    List<Changed> changes =
        SqlQueryRunner.all(
            connection,
            "SELECT sequence, job, task FROM events WHERE sequence > ? AND job > 0"
                + " ORDER BY sequence LIMIT "
                + MOST_EVENTS,
            row ->
                new Changed(
                    row.getLong("sequence"), new JobId(row.getLong("job")), row.getInt("task")),
            last);
    if (changes.isEmpty()) {
      return Progress.UP_TO_DATE;
    }
    Set<JobId> ofJobs = new HashSet<>();
    Set<TaskId> ofTasks = new HashSet<>();
    for (Changed each : changes) {
      ofJobs.add(each.job());
      if (each.task() >= 0) {
        ofTasks.add(new TaskId(each.job(), each.task()));
      }
    }
    Set<JobId> live = new HashSet<>();
    for (JobRow row : jobs.refresh(connection, List.copyOf(ofJobs))) {
      if (row.state().isFinal()) {
        forget(row);
      } else {
        live.add(row.id());
      }
    }
    specs.refresh(connection, List.copyOf(live));
    ofTasks.removeIf(task -> !live.contains(task.job()));
    tasks.refresh(connection, List.copyOf(ofTasks));
    last = changes.get(changes.size() - 1).sequence();
    return changes.size() == MOST_EVENTS ? Progress.MORE : Progress.UP_TO_DATE;
  }

  private Progress readAll(Connection connection) throws SQLException, StoreDamagedException {
    boolean commits = connection.getAutoCommit();
    connection.setAutoCommit(false); // one moment of the state, and rows in portions
    try {
      long newest =
          SqlQueryRunner.all(
                  connection,
                  "SELECT COALESCE(max(sequence), 0) FROM events",
                  row -> row.getLong(1))
              .get(0);
      jobs.live(connection, (id, row) -> {});
      if (!isSmallEnough()) {
        return over("too many jobs");
      }
      specs.live(connection, (id, spec) -> {});
      tasks.live(connection, (id, row) -> {});
      last = newest;
      phase = Phase.READ;
      return Progress.MORE; // that took a while
    } finally {
      connection.rollback();
      connection.setAutoCommit(commits);
    }
  }

  private void forget(JobRow ended) {
    jobs.forget(ended.id());
    specs.forget(ended.id());
    for (int task = 0; task < ended.tasks(); task++) {
      tasks.forget(new TaskId(ended.id(), task));
    }
  }

  /** Returns a copy of the rows as they are now, to rehearse with; empty if there are none. */
  public synchronized Optional<Rows> copy() {
    return phase == Phase.READ
        ? Optional.of(new Rows(jobs.copy(), specs.copy(), tasks.copy()))
        : Optional.empty();
  }

  /**
   * Returns an estimate of the bytes that a server's registry of these jobs and tasks takes,
   * without the environments that jobs share.
   */
  public synchronized long bytes() {
    long bytes = ServerMemoryEstimate.TOUCHED * tasks.size();
    for (WarmTable.Row<JobId, JobSpecCodec.Alike> spec : specs.rows()) {
      bytes += bytes(spec.value());
    }
    return bytes;
  }

  /** Returns the bytes of a job without touched tasks and without an environment that it shares. */
  public static long bytes(JobSpecCodec.Alike spec) {
    long bytes = -ServerMemoryEstimate.workload(spec.job().tasks().get(0)); // it is in the job's
    for (Workload task : spec.job().tasks()) {
      bytes += ServerMemoryEstimate.workload(task);
      if (task instanceof CommandWorkload command) {
        bytes += ServerMemoryEstimate.texts(command.environment());
      }
    }
    int tasks = spec.runs() == null ? spec.count() : spec.runs().stream().mapToInt(n -> n).sum();
    return bytes + ServerMemoryEstimate.job(spec.job(), tasks);
  }

  /** Returns how many jobs were read ahead. */
  public synchronized int jobs() {
    return jobs.size();
  }

  /** Returns whether nothing is followed any more; never waits for others. */
  public boolean isOver() {
    return phase == Phase.OVER;
  }

  /**
   * Gives the rows away to open the state with; nothing is followed afterwards.
   *
   * @return empty if not all live jobs were read once
   */
  public synchronized Optional<Rows> take() {
    boolean ready = phase == Phase.READ;
    phase = Phase.OVER;
    return ready ? Optional.of(new Rows(jobs, specs, tasks)) : Optional.empty();
  }
}
