package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * One pass over the ended jobs. It removes those beyond the retention, oldest first, with their
 * tasks, events and specs, and environments that no other job uses. A job's own row is removed
 * last, so that the next pass continues where this one was interrupted. Runs on the writer's
 * thread.
 */
final class JobExpiry {

  /** Approximate number of rows removed in one transaction; bounds how long commits wait. */
  static final int ROWS_AT_ONCE = 100;

  private static final int ROWS_OF_A_JOB_ALONE = 3;

  private final Retention retention;
  private final long nowMillis;

  /** How many ended jobs the file has; below 0 until they are counted. */
  private long over = -1;

  private int removed;

  JobExpiry(Retention retention, long nowMillis) {
    this.retention = retention;
    this.nowMillis = nowMillis;
  }

  /** Returns how many jobs were removed. */
  int removed() {
    return removed;
  }

  /**
   * Removes some rows.
   *
   * @param checksums updated with the rows
   * @return false once nothing is left to remove
   * @throws StoreDamagedException if a row's checksum is wrong; the row and all newer jobs are kept
   */
  boolean step(Connection connection, MetaTable checksums)
      throws SQLException, StoreDamagedException {
    if (over < 0) {
      over = number(connection, "SELECT count(*) FROM jobs WHERE ended > 0");
    }
    checksums.atLeast(MetaTable.LAST_EVENT, number(connection, "SELECT max(sequence) FROM events"));
    int left = ROWS_AT_ONCE;
    while (left > 0) {
      Optional<JobRow> oldest = oldest(connection);
      if (oldest.isEmpty() || !retention.isPast(oldest.get(), over, nowMillis)) {
        return false;
      }
      JobId id = oldest.get().id();
      left -= removeEvents(connection, id, left);
      left -= removeTasks(connection, checksums, id, left);
      if (left > 0) {
        removeJob(connection, checksums, oldest.get());
        left -= ROWS_OF_A_JOB_ALONE;
      }
    }
    return true;
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private static Optional<JobRow> oldest(Connection connection)
      throws SQLException, StoreDamagedException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT * FROM jobs WHERE ended > 0 ORDER BY ended, id LIMIT 1")) {
      return row.next() ? Optional.of(RowMapping.JOBS.read(row)) : Optional.empty();
    }
  }

  private static int removeEvents(Connection connection, JobId id, int most) throws SQLException {
    return update(
        connection,
        "DELETE FROM events WHERE sequence IN"
            + " (SELECT sequence FROM events WHERE job = ? ORDER BY sequence LIMIT ?)",
        id.value(),
        most);
  }

  private static int update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }

  private static int removeTasks(Connection connection, MetaTable checksums, JobId id, int most)
      throws SQLException, StoreDamagedException {
    long sum = 0;
    int last = -1;
    try (PreparedStatement query =
        connection.prepareStatement("SELECT * FROM tasks WHERE job = ? ORDER BY idx LIMIT ?")) {
      query.setLong(1, id.value());
      query.setInt(2, most);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          last = RowMapping.TASKS.read(row).id().index();
          sum += row.getLong("sum");
        }
      }
    }
    if (last < 0) {
      return 0;
    }
    checksums.replaced(MetaTable.TASKS, sum, 0);
    return update(connection, "DELETE FROM tasks WHERE job = ? AND idx <= ?", id.value(), last);
  }

  private void removeJob(Connection connection, MetaTable checksums, JobRow job)
      throws SQLException {
    long id = job.id().value();
    String environment = environment(connection, id);
    update(connection, "DELETE FROM specs WHERE job = ?", id);
    if (environment != null) {
      update(
          connection,
          "DELETE FROM environments WHERE hash = ?"
              + " AND NOT EXISTS (SELECT 1 FROM specs WHERE environment = ?)",
          environment,
          environment);
    }
    update(connection, "DELETE FROM jobs WHERE id = ?", id);
    checksums.replaced(MetaTable.JOBS, RowMapping.JOBS.sum(RowMapping.JOBS.values(job)), 0);
    over--;
    removed++;
  }

  private static String environment(Connection connection, long id) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT environment FROM specs WHERE job = ?")) {
      query.setLong(1, id);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }
}
