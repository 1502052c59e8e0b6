package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.ProfileRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the committed state while the journal writes. Blocks. Thread-safe, one query at a time. */
public final class StoreReader implements Closeable {

  /**
   * Rows up to the limit of the query, or until their texts fill a response.
   *
   * @param more whether more rows may follow
   */
  public record RowBatch<T>(List<T> rows, boolean more) {}

  /** Approximate characters in a batch; the row that exceeds it is the last. */
  private static final int MOST_CHARACTERS = 1 << 20;

  /** Approximate characters of a row besides its texts. */
  private static final int ROW = 300;

  private static final int DEVICE = 40;

  private static final String PLACED =
      Stream.of(TaskState.values())
          .filter(TaskState::holdsPlace)
          .map(state -> "'" + state.name() + "'")
          .collect(Collectors.joining(", "));

  /** A query on a connection. */
  public interface ReadStep<T> {
    T read(Connection connection) throws SQLException, StoreDamagedException;
  }

  private final DatabaseBackend database;
  private final JobSpecCodec specs = new JobSpecCodec();
  private Connection connection;
  private volatile boolean closed;

  /**
   * @throws IOException if there is no connection to the database
   */
  StoreReader(DatabaseBackend database) throws IOException {
    this.database = database;
    try {
      this.connection = database.connectToRead();
    } catch (SQLException fault) {
      throw fault(fault);
    }
  }

  private StoreReader(DatabaseBackend database, Connection connection) {
    this.database = database;
    this.connection = connection;
  }

  /** Returns a reader that connects with its first query; while the database is away they fail. */
  public static StoreReader later(DatabaseBackend database) {
    return new StoreReader(database, null);
  }

  private IOException fault(Exception fault) {
    return new IOException(database.name() + ": " + fault.getMessage(), fault);
  }

  /** Reads, by another connection if the current one turns out to be lost. */
  public synchronized <T> T read(ReadStep<T> step) throws IOException {
    try {
      if (connection != null) {
        try {
          return step.read(connection);
        } catch (SQLException fault) {
          if (!database.isLost(connection)) {
            throw fault;
          }
        }
        connection.close();
        connection = null;
      }
      connection = again();
      return step.read(connection);
    } catch (SQLException | StoreDamagedException fault) {
      throw fault(fault);
    }
  }

  private Connection again() throws StateAwayException {
    if (closed) {
      throw new StateAwayException(database.name() + ": this server ends", null);
    }
    try {
      return database.connectToRead();
    } catch (SQLException fault) {
      throw new StateAwayException(database.name() + ": " + fault.getMessage(), fault);
    }
  }

  /** Returns the rows of a query; {@code values} replace its question marks. */
  public <T> List<T> query(String sql, SqlQueryRunner.RowMapper<T> read, Object... values)
      throws IOException {
    return read(on -> SqlQueryRunner.all(on, sql, read, values));
  }

  /** Returns rows until their size fills a response. */
  private <T> RowBatch<T> part(
      String sql,
      SqlQueryRunner.RowMapper<T> read,
      ToIntFunction<T> size,
      int limit,
      Object... values)
      throws IOException {
    return read(
        on -> {
          List<T> rows = new ArrayList<>();
          int[] left = {MOST_CHARACTERS};
          SqlQueryRunner.each(
              on,
              sql,
              read,
              row -> {
                rows.add(row);
                left[0] -= size.applyAsInt(row);
                return left[0] > 0;
              },
              values);
          return new RowBatch<>(rows, left[0] <= 0 || rows.size() == limit);
        });
  }

  private static int length(String text) {
    return text == null ? 0 : text.length();
  }

  private static JobRow listed(ResultSet row) throws SQLException, StoreDamagedException {
    return RowMapping.JOBS.read(row).withoutLongKey();
  }

  private static int size(JobRow row) {
    return ROW + row.name().length() + row.user().length() + length(row.reason());
  }

  private static int size(TaskRow row) {
    return ROW + length(row.cause()) + length(row.node()) + DEVICE * row.devices().size();
  }

  /**
   * Returns jobs in the order of a query.
   *
   * @param sql of all columns of jobs, with question marks for {@code values}
   * @param limit of the query
   */
  public RowBatch<JobRow> jobs(String sql, int limit, Object... values) throws IOException {
    return part(sql, StoreReader::listed, StoreReader::size, limit, values);
  }

  /**
   * Returns live jobs: first those with a place, then the others, each oldest first. The query
   * sorts only ids and states, because SQLite sorts in memory.
   */
  public List<JobRow> liveJobs(int limit) throws IOException {
    return part(
            "SELECT jobs.* FROM (SELECT id, state IN ("
                + PLACED
                + ") AS placed FROM jobs WHERE ended = 0 ORDER BY placed DESC, id LIMIT ?) AS found"
                + " JOIN jobs ON jobs.id = found.id ORDER BY found.placed DESC, found.id",
            StoreReader::listed,
            StoreReader::size,
            limit,
            limit)
        .rows();
  }

  /** Returns the number of live jobs in each state; states without jobs are left out. */
  public Map<TaskState, Integer> liveCounts() throws IOException {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    query(
            "SELECT state, COUNT(*) FROM jobs WHERE ended = 0 GROUP BY state",
            row -> Map.entry(TaskState.valueOf(row.getString(1)), row.getInt(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  public Optional<JobRow> job(JobId id) throws IOException {
    return query("SELECT * FROM jobs WHERE id = ?", RowMapping.JOBS::read, id.value()).stream()
        .findFirst();
  }

  /** Returns whether a job existed and was removed. */
  public boolean isRemoved(JobId id) throws IOException {
    return job(id).isEmpty()
        && query(
                "SELECT value FROM meta WHERE key = ?",
                row -> Long.parseLong(row.getString(1)),
                MetaTable.LAST_JOB)
            .stream()
            .anyMatch(last -> id.value() <= last);
  }

  /**
   * Returns the later jobs that were cancelled because of how this one ended, and those that waited
   * for one of several in vain, which this one may be none of.
   */
  public List<JobRow> cancelledAfter(JobRow job) throws IOException {
    return query(
        "SELECT * FROM jobs WHERE \"user\" = ? AND id > ? AND state = 'CANCELLED' AND (reason = ?"
            + " OR reason LIKE ?) ORDER BY id",
        RowMapping.JOBS::read,
        job.user(),
        job.id().value(),
        "job " + job.id() + " " + job.state().label(),
        DependencyRule.NONE_MET + "%");
  }

  /** Returns the job that a user submitted with an idempotency key. */
  public Optional<JobRow> byKey(String user, String key) throws IOException {
    return query(
            "SELECT * FROM jobs WHERE \"user\" = ? AND client_key = ?",
            RowMapping.JOBS::read,
            user,
            key)
        .stream()
        .findFirst();
  }

  /** Returns the spec of a job. */
  public Optional<JobSpec> spec(JobId id) throws IOException {
    return specs(List.of(id)).stream().findFirst();
  }

  /** Returns the specs of those of some hundred jobs that are kept, in no order. */
  public List<JobSpec> specs(List<JobId> ids) throws IOException {
    String some = String.join(", ", Collections.nCopies(ids.size(), "?"));
    return read(
        on ->
            SqlQueryRunner.all(
                on,
                "SELECT * FROM specs WHERE job IN (" + some + ")",
                row -> specs.read(RowMapping.SPECS.read(row).body(), on),
                ids.stream().map(JobId::value).toArray()));
  }

  /**
   * Returns tasks in the order of a query.
   *
   * @param sql of all columns of tasks, with question marks for {@code values}
   * @param limit of the query
   */
  public RowBatch<TaskRow> tasks(String sql, int limit, Object... values) throws IOException {
    return part(sql, RowMapping.TASKS::read, StoreReader::size, limit, values);
  }

  /**
   * Returns the tasks of a job that were placed at least once or have ended, by index, from {@code
   * first} on.
   */
  public RowBatch<TaskRow> tasks(JobId id, int first, int limit) throws IOException {
    RowBatch<TaskRow> part =
        tasks(
            "SELECT * FROM tasks WHERE job = ? AND idx >= ? ORDER BY idx LIMIT ?",
            limit,
            id.value(),
            first,
            limit);
    Optional<JobRow> job = job(id).filter(row -> row.first() == TaskState.CANCELLED);
    return job.isEmpty() ? part : withCancelled(part, job.get(), first, limit);
  }

  /** Adds the tasks cancelled with their whole job, which have no rows of their own. */
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
   * Returns tasks that were placed at least once, with an index from {@code first} to before {@code
   * end}, that have not ended, or ended at or after {@code since}.
   *
   * @param since milliseconds since 1970
   */
  public RowBatch<TaskRow> changedTasks(JobId id, int first, int end, long since, int limit)
      throws IOException {
    return tasks(
        "SELECT * FROM tasks WHERE job = ? AND idx >= ? AND idx < ?"
            + " AND (ended = 0 OR ended >= ?) ORDER BY idx LIMIT ?",
        limit,
        id.value(),
        first,
        end,
        since,
        limit);
  }

  /** Returns a task, if it was placed at least once or has ended. */
  public Optional<TaskRow> task(TaskId id) throws IOException {
    return tasks(id.job(), id.index(), 1).rows().stream()
        .filter(row -> row.id().equals(id))
        .findFirst();
  }

  /** Returns all users, also removed ones. */
  public List<UserRow> users() throws IOException {
    return query("SELECT * FROM users ORDER BY name", RowMapping.USERS::read);
  }

  /** Returns the profiles of a user, or of all users if it is null. */
  public List<ProfileRow> profiles(String user) throws IOException {
    return user == null
        ? query("SELECT * FROM profiles ORDER BY \"user\", type", RowMapping.PROFILES::read)
        : query(
            "SELECT * FROM profiles WHERE \"user\" = ? ORDER BY type",
            RowMapping.PROFILES::read,
            user);
  }

  /** Returns the number of the newest event, 0 if there is none. */
  public long lastEvent() throws IOException {
    return query("SELECT COALESCE(MAX(sequence), 0) FROM events", row -> row.getLong(1)).get(0);
  }

  /** Returns how many jobs have failed since a time in milliseconds since 1970. */
  public int failedSince(long since) throws IOException {
    return query(
            "SELECT COUNT(*) FROM jobs WHERE ended >= ? AND state IN ('FAILED', 'LOST')",
            row -> row.getInt(1),
            since)
        .get(0);
  }

  /** Returns the events after {@code after} of a job, or all of them if it is null. */
  public List<EventLogEntry> events(JobId job, long after, int limit) throws IOException {
    return job == null
        ? query(
            "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
            RowMapping.EVENTS::read,
            after,
            limit)
        : query(
            "SELECT * FROM events WHERE job = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            RowMapping.EVENTS::read,
            job.value(),
            after,
            limit);
  }

  @Override
  public void close() throws IOException {
    closed = true; // a query that waits for its turn opens no other connection
    closeConnection();
  }

  private synchronized void closeConnection() throws IOException {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException fault) {
      throw fault(fault);
    }
  }
}
