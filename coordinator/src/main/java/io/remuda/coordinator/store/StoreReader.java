package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what is committed, beside the writer. It blocks; any thread, one at a time. */
public final class StoreReader implements Closeable {

  /** Which jobs are asked for. */
  public enum JobFilter {
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
  public record Page(JobFilter which, String user, long before, int limit) {}

  /**
   * Rows as far as they were asked for, or as their text is enough for one answer.
   *
   * @param more whether there may be others behind them
   */
  public record RowBatch<T>(List<T> rows, boolean more) {}

  /** Characters of the rows of one part, about; the one that goes beyond it is the last. */
  private static final int MOST_CHARACTERS = 1 << 20;

  /** So many characters does a row have besides its texts, about. */
  private static final int ROW = 300;

  private static final int DEVICE = 40;

  private static final String PLACED =
      Stream.of(TaskState.values())
          .filter(TaskState::holdsPlace)
          .map(state -> "'" + state.name() + "'")
          .collect(Collectors.joining(", "));

  private final Connection connection;
  private final JobSpecText specs = new JobSpecText();

  StoreReader(Connection connection) {
    this.connection = connection;
  }

  private synchronized <T> List<T> query(String sql, RowReader.RowMapper<T> read, Object... values)
      throws IOException {
    try {
      return RowReader.all(connection, sql, read, values);
    } catch (SQLException | StoreDamaged fault) {
      throw new IOException("state file: " + fault.getMessage(), fault);
    }
  }

  /** Rows until they are enough for one answer; each is dropped but for what {@code read} keeps. */
  private synchronized <T> RowBatch<T> part(
      String sql, RowReader.RowMapper<T> read, ToIntFunction<T> size, int limit, Object... values)
      throws IOException {
    List<T> rows = new ArrayList<>();
    int[] left = {MOST_CHARACTERS};
    try {
      RowReader.each(
          connection,
          sql,
          read,
          row -> {
            rows.add(row);
            left[0] -= size.applyAsInt(row);
            return left[0] > 0;
          },
          values);
    } catch (SQLException | StoreDamaged fault) {
      throw new IOException("state file: " + fault.getMessage(), fault);
    }
    return new RowBatch<>(rows, left[0] <= 0 || rows.size() == limit);
  }

  private static int length(String text) {
    return text == null ? 0 : text.length();
  }

  private static JobRow listed(ResultSet row) throws SQLException, StoreDamaged {
    return RowMapping.job(row).withoutLongKey();
  }

  private static int size(JobRow row) {
    return ROW + row.name().length() + row.user().length() + length(row.reason());
  }

  private static int size(TaskRow row) {
    return ROW + length(row.cause()) + length(row.node()) + DEVICE * row.devices().size();
  }

  /** Jobs, newest first. */
  public RowBatch<JobRow> jobs(Page page) throws IOException {
    StringBuilder sql = new StringBuilder("SELECT * FROM jobs WHERE 1 = 1");
    List<Object> values = new ArrayList<>();
    if (page.which() == JobFilter.LIVE) {
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
    return part(
        sql.toString(), StoreReader::listed, StoreReader::size, page.limit(), values.toArray());
  }

  /**
   * Jobs that are not over: first those that have a place, the oldest of each first. They are put
   * in order without their texts, since SQLite does that in memory.
   */
  public List<JobRow> liveJobs(int limit) throws IOException {
    return part(
            "SELECT jobs.* FROM (SELECT id FROM jobs WHERE ended = 0 ORDER BY state IN ("
                + PLACED
                + ") DESC, id LIMIT ?) AS found CROSS JOIN jobs ON jobs.id = found.id",
            StoreReader::listed,
            StoreReader::size,
            limit,
            limit)
        .rows();
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
    return query("SELECT * FROM jobs WHERE id = ?", RowMapping::job, id.value()).stream()
        .findFirst();
  }

  /** Whether there was such a job and it is kept no longer. */
  public boolean isRemoved(JobId id) throws IOException {
    return job(id).isEmpty()
        && query(
                "SELECT value FROM meta WHERE key = ?",
                row -> Long.parseLong(row.getString(1)),
                TableChecksums.LAST_JOB)
            .stream()
            .anyMatch(last -> id.value() <= last);
  }

  /** The job that a user has submitted under a key of his. */
  public Optional<JobRow> byKey(String user, String key) throws IOException {
    return query("SELECT * FROM jobs WHERE user = ? AND client_key = ?", RowMapping::job, user, key)
        .stream()
        .findFirst();
  }

  /** What a job was asked for. */
  public Optional<JobSpec> spec(JobId id) throws IOException {
    return query(
            "SELECT job, body, sum FROM specs WHERE job = ?",
            row -> {
              RowMapping.check(row, "spec " + id, row.getLong("job"), row.getString("body"));
              return specs.read(row.getString("body"), connection);
            },
            id.value())
        .stream()
        .findFirst();
  }

  /**
   * Tasks of a job that were placed at least once, or are over, by index, from {@code first} on.
   */
  public RowBatch<TaskRow> tasks(JobId id, int first, int limit) throws IOException {
    RowBatch<TaskRow> part =
        part(
            "SELECT * FROM tasks WHERE job = ? AND idx >= ? ORDER BY idx LIMIT ?",
            RowMapping::task,
            StoreReader::size,
            limit,
            id.value(),
            first,
            limit);
    Optional<JobRow> job = job(id).filter(row -> row.first() == TaskState.CANCELLED);
    return job.isEmpty() ? part : withCancelled(part, job.get(), first, limit);
  }

  /** Tasks that were cancelled with all others of their job have no row: the job's says it. */
  private static RowBatch<TaskRow> withCancelled(
      RowBatch<TaskRow> part, JobRow job, int first, int limit) {
    List<TaskRow> all = new ArrayList<>();
    Iterator<TaskRow> own = part.rows().iterator();
    TaskRow next = own.hasNext() ? own.next() : null;
    int index = first;
    while (index < job.tasks() && all.size() < limit && (next != null || !part.more())) {
      if (next != null && next.id().index() == index) {
        all.add(next);
        next = own.hasNext() ? own.next() : null;
      } else {
        all.add(TaskRow.cancelled(new TaskId(job.id(), index), job));
      }
      index++;
    }
    return new RowBatch<>(all, index < job.tasks());
  }

  /**
   * Tasks that were placed at least once, with an index from {@code first} to before {@code end},
   * that are not over, or were not at a time.
   *
   * @param since milliseconds since 1970
   */
  public RowBatch<TaskRow> changedTasks(JobId id, int first, int end, long since, int limit)
      throws IOException {
    return part(
        "SELECT * FROM tasks WHERE job = ? AND idx >= ? AND idx < ?"
            + " AND (ended = 0 OR ended >= ?) ORDER BY idx LIMIT ?",
        RowMapping::task,
        StoreReader::size,
        limit,
        id.value(),
        first,
        end,
        since,
        limit);
  }

  /** A task that was placed at least once, or is over. */
  public Optional<TaskRow> task(TaskId id) throws IOException {
    return tasks(id.job(), id.index(), 1).rows().stream()
        .filter(row -> row.id().equals(id))
        .findFirst();
  }

  /** What types are known to need, of one user or, if it is null, of all. */
  public List<ProfileRow> profiles(String user) throws IOException {
    return user == null
        ? query("SELECT * FROM profiles ORDER BY user, type", RowMapping::profile)
        : query("SELECT * FROM profiles WHERE user = ? ORDER BY type", RowMapping::profile, user);
  }

  /** What happened after event {@code after}, of a job or, if it is null, of all. */
  public List<AuditEvent> events(JobId job, long after, int limit) throws IOException {
    return job == null
        ? query(
            "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
            RowMapping::event,
            after,
            limit)
        : query(
            "SELECT * FROM events WHERE job = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            RowMapping::event,
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
