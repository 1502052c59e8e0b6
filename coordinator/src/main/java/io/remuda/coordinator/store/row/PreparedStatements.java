package io.remuda.coordinator.store.row;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/**
 * The statements of nearly every commit, prepared once: preparing them took as long as running them
 * for a few rows. Single-threaded.
 */
public final class PreparedStatements {

  /** The tables, in an order in which each row is written after the rows it refers to. */
  public enum Table {
    ENVIRONMENTS("INSERT OR IGNORE INTO environments (hash, body, sum)", 3),
    SPECS("INSERT OR REPLACE INTO specs (job, body, environment, sum)", 4),
    JOBS(
        "INSERT OR REPLACE INTO jobs (id, uuid, user, name, state, first, tasks, submitted,"
            + " started, ended, reason, exit_code, open, client_key, epochs, gang, sum)",
        17),
    TASKS(
        "INSERT OR REPLACE INTO tasks (job, idx, state, attempt, node, devices, started, ended,"
            + " interruptions, crashes, overdue, cause, end, seat, gpu_memory, gpu_floor,"
            + " memory_floor, tag, preemptions, lost_millis, training, gpus, sum)",
        23),
    PROFILES("INSERT OR REPLACE INTO profiles (user, type, body, updated, sum)", 5),
    EVENTS("INSERT OR REPLACE INTO events (sequence, at, job, task, what, detail, sum)", 7),
    META("INSERT OR REPLACE INTO meta (key, value, sum)", 3);

    private final String sql;

    Table(String insert, int columns) {
      this.sql = insert + " VALUES (?" + ", ?".repeat(columns - 1) + ")";
    }
  }

  private final PreparedStatement epoch;
  private final Map<Table, PreparedStatement> inserts = new EnumMap<>(Table.class);

  public PreparedStatements(Connection connection) throws SQLException {
    epoch = connection.prepareStatement("SELECT value FROM meta WHERE key = 'epoch'");
    for (Table table : Table.values()) {
      inserts.put(table, connection.prepareStatement(table.sql));
    }
  }

  /** Reads the current epoch from the file, in digits; empty if it has none. */
  public String epoch() throws SQLException {
    try (ResultSet row = epoch.executeQuery()) {
      return row.next() ? row.getString(1) : "";
    }
  }

  /** Adds a row for {@link #run}; its checksum is the last column. */
  public void add(Table table, Object[] columns, long sum) throws SQLException {
    PreparedStatement insert = inserts.get(table);
    for (int i = 0; i < columns.length; i++) {
      insert.setObject(i + 1, columns[i]);
    }
    insert.setLong(columns.length + 1, sum);
    insert.addBatch();
  }

  /** Writes the added rows. */
  public void run() throws SQLException {
    for (PreparedStatement insert : inserts.values()) {
      insert.executeBatch();
    }
  }

  /** Drops the added rows that {@link #run} has not written. */
  public void clear() {
    for (PreparedStatement insert : inserts.values()) {
      try {
        insert.clearBatch();
      } catch (SQLException closed) {
        return; // a closed connection runs nothing more
      }
    }
  }
}
