package io.remuda.coordinator.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The statements that nearly every commit needs, prepared once: preparing them took as long as
 * running them for a few rows. One thread.
 */
final class Statements {

  private final PreparedStatement epoch;
  private final PreparedStatement environments;
  private final PreparedStatement specs;
  private final PreparedStatement jobs;
  private final PreparedStatement tasks;
  private final PreparedStatement events;
  private final PreparedStatement meta;

  Statements(Connection connection) throws SQLException {
    epoch = connection.prepareStatement("SELECT value FROM meta WHERE key = 'epoch'");
    environments =
        connection.prepareStatement("INSERT OR IGNORE INTO environments VALUES (?, ?, ?)");
    specs =
        connection.prepareStatement(
            "INSERT OR REPLACE INTO specs (job, body, environment, sum) VALUES (?, ?, ?, ?)");
    jobs = connection.prepareStatement("INSERT OR REPLACE INTO jobs VALUES (" + marks(15) + ")");
    tasks =
        connection.prepareStatement(
            "INSERT OR REPLACE INTO tasks (job, idx, state, attempt, node, devices, started,"
                + " ended, interruptions, crashes, overdue, cause, end, seat, sum) VALUES ("
                + marks(15)
                + ")");
    events = connection.prepareStatement("INSERT OR REPLACE INTO events VALUES (" + marks(7) + ")");
    meta = connection.prepareStatement("INSERT OR REPLACE INTO meta VALUES (" + marks(3) + ")");
  }

  private static String marks(int count) {
    return "?" + ", ?".repeat(count - 1);
  }

  /** The epoch that the file has now, in digits; empty if it has none. */
  String epoch() throws SQLException {
    try (ResultSet row = epoch.executeQuery()) {
      return row.next() ? row.getString(1) : "";
    }
  }

  void environment(Object[] columns, long sum) throws SQLException {
    add(environments, columns, sum);
  }

  void spec(Object[] columns, long sum) throws SQLException {
    add(specs, columns, sum);
  }

  void job(Object[] columns, long sum) throws SQLException {
    add(jobs, columns, sum);
  }

  void task(Object[] columns, long sum) throws SQLException {
    add(tasks, columns, sum);
  }

  void event(Object[] columns, long sum) throws SQLException {
    add(events, columns, sum);
  }

  void meta(Object[] columns, long sum) throws SQLException {
    add(meta, columns, sum);
  }

  private static void add(PreparedStatement statement, Object[] columns, long sum)
      throws SQLException {
    for (int i = 0; i < columns.length; i++) {
      statement.setObject(i + 1, columns[i]);
    }
    statement.setLong(columns.length + 1, sum);
    statement.addBatch();
  }

  private List<PreparedStatement> writing() {
    return List.of(environments, specs, jobs, tasks, events, meta);
  }

  /** Runs what was added, in an order that leaves nothing without what it points to. */
  void run() throws SQLException {
    for (PreparedStatement statement : writing()) {
      statement.executeBatch();
    }
  }

  /** Drops what was added and has not been run. */
  void clear() {
    for (PreparedStatement statement : writing()) {
      try {
        statement.clearBatch();
      } catch (SQLException closed) {
        return; // then nothing more is run
      }
    }
  }
}
