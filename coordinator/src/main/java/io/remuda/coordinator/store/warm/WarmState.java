package io.remuda.coordinator.store.warm;

import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

  private static final long NOTHING_READ = -1;
  private static final long TAKEN = -2;

  private final WarmTable<JobId, JobRow> jobs = WarmTable.ofJobs();
  private final WarmTable<JobId, JobSpecCodec.Alike> specs = WarmTable.ofSpecs();
  private final WarmTable<TaskId, TaskRow> tasks = WarmTable.ofTasks();
  private long last = NOTHING_READ;

  /** Rows to open the state with; each table for one thread. */
  public record Rows(
      WarmTable<JobId, JobRow> jobs,
      WarmTable<JobId, JobSpecCodec.Alike> specs,
      WarmTable<TaskId, TaskRow> tasks) {}

  private record Changed(long sequence, JobId job, int task) {}

  /**
   * Reads what has changed since the call before; the first one reads all.
   *
   * @param connection in no transaction
   * @return whether more has changed than was read
   * @throws StoreDamagedException if a row is damaged
   */
  public synchronized boolean follow(Connection connection)
      throws SQLException, StoreDamagedException {
    if (last == TAKEN) {
      return false;
    }
    if (last == NOTHING_READ) {
      readAll(connection);
      return true; // that took a while
    }
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
      return false;
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
    return changes.size() == MOST_EVENTS;
  }

  private void readAll(Connection connection) throws SQLException, StoreDamagedException {
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
      specs.live(connection, (id, spec) -> {});
      tasks.live(connection, (id, row) -> {});
      last = newest;
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

  /** Returns whether the rows were given away. */
  public synchronized boolean isTaken() {
    return last == TAKEN;
  }

  /**
   * Gives the rows away to open the state with; nothing is followed afterwards.
   *
   * @return empty if not all live jobs were read once
   */
  public synchronized Optional<Rows> take() {
    boolean ready = last > NOTHING_READ;
    last = TAKEN;
    return ready ? Optional.of(new Rows(jobs, specs, tasks)) : Optional.empty();
  }
}
