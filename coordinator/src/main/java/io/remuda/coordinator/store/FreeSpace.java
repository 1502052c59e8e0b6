package io.remuda.coordinator.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Gives room back to the disk that the file and its log have and do not need. The writer's thread.
 */
final class FreeSpace {

  /** So many pages are moved in one transaction: 256 KiB. */
  static final int PAGES_AT_ONCE = 64;

  /** So many free pages stay in any case, and one in so many of the file, for what comes next. */
  static final int PAGES_KEPT = 1024;

  private static final int SHARE_KEPT = 8;

  /** A log that was once larger is cut to this when it begins anew. */
  static final int LOG_BYTES = 64 << 20;

  private static final int INCREMENTAL = 2;

  /** Commits wait so long for somebody who reads; if he takes longer, the log is cut next time. */
  private static final int PATIENCE_MILLIS = 100;

  /** SQLite copies the log into the file at each commit that finds it longer than this: 16 MiB. */
  private static final int LOG_PAGES = 4096;

  private FreeSpace() {}

  /** Has a file give back free pages; only before there is anything in it. */
  static void prepare(Connection empty) throws SQLException {
    try (Statement statement = empty.createStatement()) {
      statement.execute("PRAGMA auto_vacuum = " + INCREMENTAL);
      statement.execute("PRAGMA journal_mode = WAL"); // writes the first page, which settles it
    }
  }

  /** Gives some pages back, within a transaction; false once there are few enough. */
  static boolean shrink(Connection connection) throws SQLException {
    long free = pragma(connection, "freelist_count");
    long kept = Math.max(PAGES_KEPT, pragma(connection, "page_count") / SHARE_KEPT);
    if (free <= kept || pragma(connection, "auto_vacuum") != INCREMENTAL) {
      return false; // files of old builds do not shrink; their free pages are used again
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
   * Has the log copied less often than SQLite does by itself, every 4 MiB: most pages are written
   * again by the next commits. Not within a transaction.
   */
  static void copyLogSeldom(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
    }
  }

  /** Copies the log into the file and cuts it off, unless somebody reads what is in it. */
  static void cutLog(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = " + PATIENCE_MILLIS);
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA busy_timeout = " + Store.BUSY_MILLIS);
      }
      connection.setAutoCommit(false);
    }
  }
}
