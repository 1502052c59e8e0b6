package io.remuda.coordinator.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Returns unused space of the state file and its write-ahead log to the disk. Runs on the writer's
 * thread.
 */
final class SpaceReclaimer {

  /** Maximum pages moved in one transaction: 256 KiB. */
  static final int PAGES_AT_ONCE = 64;

  /** Free pages kept for new rows: this number or 1/{@link #SHARE_KEPT} of the file. */
  static final int PAGES_KEPT = 1024;

  private static final int SHARE_KEPT = 8;

  /** A larger write-ahead log is truncated to this size when SQLite restarts it. */
  static final int LOG_BYTES = 64 << 20;

  private static final int INCREMENTAL = 2;

  /** How long commits wait for readers; if these take longer, the log is truncated next time. */
  private static final int PATIENCE_MILLIS = 100;

  /** SQLite copies the log into the file at each commit that finds it longer: 16 MiB. */
  private static final int LOG_PAGES = 4096;

  private SpaceReclaimer() {}

  /** Makes a file able to return free pages. Works only while the file is empty. */
  static void prepare(Connection empty) throws SQLException {
    try (Statement statement = empty.createStatement()) {
      statement.execute("PRAGMA auto_vacuum = " + INCREMENTAL);
      statement.execute("PRAGMA journal_mode = WAL"); // writes the first page, with auto_vacuum
    }
  }

  /** Returns some pages to the disk, within a transaction; false once few enough are free. */
  static boolean shrink(Connection connection) throws SQLException {
    long free = pragma(connection, "freelist_count");
    long kept = Math.max(PAGES_KEPT, pragma(connection, "page_count") / SHARE_KEPT);
    if (free <= kept || pragma(connection, "auto_vacuum") != INCREMENTAL) {
      return false; // files of old builds cannot shrink; their free pages are reused
    }
    try (Statement statement = connection.createStatement()) {
      long pages = Math.min(PAGES_AT_ONCE, free - kept);
      statement.executeUpdate("PRAGMA incremental_vacuum(" + pages + ")"); // execute() frees one
    }
    return true;
  }

  private static long pragma(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      return row.getLong(1);
    }
  }

  /**
   * Makes SQLite copy the log less often than its default of every 4 MiB, because the next commits
   * rewrite most pages. Must not be called within a transaction.
   */
  static void copyLogSeldom(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
    }
  }

  /**
   * Copies the log into the file and truncates it, unless a reader uses it; not within a
   * transaction.
   */
  static void cutLog(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = " + PATIENCE_MILLIS);
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA busy_timeout = " + SqliteDatabase.BUSY_MILLIS);
      }
    }
  }
}
