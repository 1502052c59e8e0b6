package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what is committed, beside the writer. It blocks; any thread, one at a time. */
public final class StoreReader implements Closeable {

  /** Which jobs are asked for. */
  public enum Which {
    /** Those that are not over. */
    LIVE,
    ALL
  }

  /**
   * A page of jobs, newest first.
   *
   * @param user whose, or null for everybody's
   * @param before only jobs with a lower number, or 0 for all
   * @param limit at most so many
   */
  public record Page(Which which, String user, long before, int limit) {}

  private static final String PLACED =
      Stream.of(TaskState.values())
          .filter(TaskState::holdsPlace)
          .map(state -> "'" + state.name() + "'")
          .collect(Collectors.joining(", "));

  private final Connection connection;
  private final Specs specs = new Specs();

  StoreReader(Connection connection) {
    this.connection = connection;
  }

  private synchronized <T> List<T> query(String sql, Queries.Read<T> read, Object... values)
      throws IOException {
    try {
      return Queries.all(connection, sql, read, values);
    } catch (SQLException | StoreDamaged fault) {
      throw new IOException("state file: " + fault.getMessage(), fault);
    }
  }

  /** Jobs, newest first. */
  public List<JobRow> jobs(Page page) throws IOException {
    StringBuilder sql = new StringBuilder("SELECT * FROM jobs WHERE 1 = 1");
    List<Object> values = new ArrayList<>();
    if (page.which() == Which.LIVE) {
      sql.append(" AND ended = 0");
    }
    if (page.user() != null) {
      sql.append(" AND user = ?");
      values.add(page.user());
    }
    if (page.before() > 0) {
      sql.append(" AND id < ?");
      values.add(page.before());
    }
    sql.append(" ORDER BY id DESC LIMIT ?");
    values.add(page.limit());
    return query(sql.toString(), Rows::job, values.toArray());
  }

  /** Jobs that are not over: first those that have a place, the oldest of each first. */
  public List<JobRow> liveJobs(int limit) throws IOException {
    return query(
        "SELECT * FROM jobs WHERE ended = 0 ORDER BY state IN (" + PLACED + ") DESC, id LIMIT ?",
        Rows::job,
        limit);
  }

  /** How many jobs that are not over are in each state that one is in. */
  public Map<TaskState, Integer> liveCounts() throws IOException {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    query(
            "SELECT state, COUNT(*) FROM jobs WHERE ended = 0 GROUP BY state",
            row -> Map.entry(TaskState.valueOf(row.getString(1)), row.getInt(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  public Optional<JobRow> job(JobId id) throws IOException {
    return query("SELECT * FROM jobs WHERE id = ?", Rows::job, id.value()).stream().findFirst();
  }

  /** Whether there was such a job and it is kept no longer. */
  public boolean isRemoved(JobId id) throws IOException {
    return job(id).isEmpty()
        && query(
                "SELECT value FROM meta WHERE key = ?",
                row -> Long.parseLong(row.getString(1)),
                Sums.LAST_JOB)
            .stream()
            .anyMatch(last -> id.value() <= last);
  }

  /** The job that a user has submitted under a key of his. */
  public Optional<JobRow> byKey(String user, String key) throws IOException {
    return query("SELECT * FROM jobs WHERE user = ? AND client_key = ?", Rows::job, user, key)
        .stream()
        .findFirst();
  }

  /** What a job was asked for. */
  public Optional<JobSpec> spec(JobId id) throws IOException {
    return query(
            "SELECT job, body, sum FROM specs WHERE job = ?",
            row -> {
              Rows.check(row, "spec " + id, row.getLong("job"), row.getString("body"));
              return specs.read(row.getString("body"), connection);
            },
            id.value())
        .stream()
        .findFirst();
  }

  /**
   * Tasks of a job that were placed at least once, or are over, by index, from {@code first} on.
   */
  public List<TaskRow> tasks(JobId id, int first, int limit) throws IOException {
    List<TaskRow> rows =
        query(
            "SELECT * FROM tasks WHERE job = ? AND idx >= ? ORDER BY idx LIMIT ?",
            Rows::task,
            id.value(),
            first,
            limit);
    Optional<JobRow> job = job(id).filter(row -> row.first() == TaskState.CANCELLED);
    return job.isEmpty() ? rows : withCancelled(rows, job.get(), first, limit);
  }

  /** Tasks that were cancelled with all others of their job have no row: the job's says it. */
  private static List<TaskRow> withCancelled(List<TaskRow> rows, JobRow job, int first, int limit) {
    List<TaskRow> all = new ArrayList<>();
    Iterator<TaskRow> own = rows.iterator();
    TaskRow next = own.hasNext() ? own.next() : null;
    for (int index = first; index < job.tasks() && all.size() < limit; index++) {
      if (next != null && next.id().index() == index) {
        all.add(next);
        next = own.hasNext() ? own.next() : null;
      } else {
        all.add(TaskRow.cancelled(new TaskId(job.id(), index), job));
      }
    }
    return all;
  }

  /** A task that was placed at least once, or is over. */
  public Optional<TaskRow> task(TaskId id) throws IOException {
    return tasks(id.job(), id.index(), 1).stream().filter(row -> row.id().equals(id)).findFirst();
  }

  /** What types are known to need, of one user or, if it is null, of all. */
  public List<ProfileRow> profiles(String user) throws IOException {
    return user == null
        ? query("SELECT * FROM profiles ORDER BY user, type", Rows::profile)
        : query("SELECT * FROM profiles WHERE user = ? ORDER BY type", Rows::profile, user);
  }

  /** What happened after event {@code after}, of a job or, if it is null, of all. */
  public List<AuditEvent> events(JobId job, long after, int limit) throws IOException {
    return job == null
        ? query(
            "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
            Rows::event,
            after,
            limit)
        : query(
            "SELECT * FROM events WHERE job = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            Rows::event,
            job.value(),
            after,
            limit);
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException fault) {
      throw new IOException(fault.getMessage(), fault);
    }
  }
}
