package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.StoreDamagedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables, by version. Files of older versions are upgraded, those of newer ones refused. */
final class Schema {

  /** The statements that upgrade a file by one version each. */
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL)"
                  + " WITHOUT ROWID",
              "CREATE TABLE environments (hash BLOB PRIMARY KEY, body TEXT NOT NULL,"
                  + " sum INTEGER NOT NULL)",
              "CREATE TABLE specs (job INTEGER PRIMARY KEY, body TEXT NOT NULL,"
                  + " sum INTEGER NOT NULL)",
              "CREATE TABLE jobs (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, user TEXT NOT NULL,"
                  + " name TEXT NOT NULL, state TEXT NOT NULL, first TEXT NOT NULL,"
                  + " tasks INTEGER NOT NULL, submitted INTEGER NOT NULL,"
                  + " started INTEGER NOT NULL, ended INTEGER NOT NULL, reason TEXT,"
                  + " exit_code INTEGER, open TEXT NOT NULL, client_key TEXT,"
                  + " sum INTEGER NOT NULL)",
              "CREATE INDEX jobs_by_key ON jobs (user, client_key)"
                  + " WHERE client_key IS NOT NULL",
              "CREATE INDEX jobs_by_end ON jobs (ended)",
              "CREATE TABLE tasks (job INTEGER NOT NULL, idx INTEGER NOT NULL,"
                  + " state TEXT NOT NULL, attempt INTEGER NOT NULL, node TEXT,"
                  + " devices TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL,"
                  + " interruptions INTEGER NOT NULL, crashes INTEGER NOT NULL,"
                  + " overdue INTEGER NOT NULL, cause TEXT, end TEXT, sum INTEGER NOT NULL,"
                  + " PRIMARY KEY (job, idx)) WITHOUT ROWID",
              "CREATE TABLE events (sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
                  + " job INTEGER NOT NULL, task INTEGER NOT NULL, what TEXT NOT NULL,"
                  + " detail TEXT NOT NULL, sum INTEGER NOT NULL)",
              "CREATE INDEX events_by_job ON events (job, sequence)",
              "CREATE TABLE users (name TEXT PRIMARY KEY, share REAL NOT NULL,"
                  + " token_hash TEXT NOT NULL, used REAL NOT NULL DEFAULT 0,"
                  + " sum INTEGER NOT NULL) WITHOUT ROWID",
              "CREATE TABLE drained (node TEXT PRIMARY KEY, sum INTEGER NOT NULL)"
                  + " WITHOUT ROWID"),
          List.of("ALTER TABLE tasks ADD COLUMN seat INTEGER NOT NULL DEFAULT 0"),
          List.of(
              "ALTER TABLE specs ADD COLUMN environment TEXT", // copied from the body for the index
              "UPDATE specs SET environment = json_extract(body, '$.environment')"
                  + " WHERE json_valid(body)",
              "CREATE INDEX specs_by_environment ON specs (environment)"
                  + " WHERE environment IS NOT NULL"),
          List.of(
              "ALTER TABLE tasks ADD COLUMN gpu_memory INTEGER NOT NULL DEFAULT 0",
              "ALTER TABLE tasks ADD COLUMN gpu_floor INTEGER NOT NULL DEFAULT 0",
              "CREATE TABLE profiles (user TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,"
                  + " updated INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (user, type))"
                  + " WITHOUT ROWID"),
          List.of("ALTER TABLE tasks ADD COLUMN memory_floor INTEGER NOT NULL DEFAULT 0"),
          List.of(
              "ALTER TABLE tasks ADD COLUMN tag TEXT NOT NULL DEFAULT ''",
              "CREATE TABLE lineage (number INTEGER PRIMARY KEY, birth INTEGER NOT NULL,"
                  + " last_job INTEGER NOT NULL, sum INTEGER NOT NULL)"),
          List.of(
              "ALTER TABLE tasks ADD COLUMN preemptions INTEGER NOT NULL DEFAULT 0",
              "ALTER TABLE tasks ADD COLUMN lost_millis INTEGER NOT NULL DEFAULT 0"),
          List.of(
              "ALTER TABLE tasks ADD COLUMN training TEXT NOT NULL DEFAULT ''",
              "ALTER TABLE tasks ADD COLUMN gpus INTEGER NOT NULL DEFAULT 0",
              "ALTER TABLE jobs ADD COLUMN epochs TEXT NOT NULL DEFAULT ''"),
          List.of("ALTER TABLE jobs ADD COLUMN gang TEXT NOT NULL DEFAULT ''"),
          List.of(
              "CREATE TABLE usage (day INTEGER NOT NULL, user TEXT NOT NULL, type TEXT NOT NULL,"
                  + " node TEXT NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL,"
                  + " PRIMARY KEY (day, user, type, node)) WITHOUT ROWID"),
          List.of("ALTER TABLE users ADD COLUMN limits TEXT NOT NULL DEFAULT ''"),
          List.of(
              "CREATE TABLE notices (number INTEGER PRIMARY KEY, content TEXT NOT NULL,"
                  + " sum INTEGER NOT NULL)"),
          List.of("ALTER TABLE drained ADD COLUMN reason TEXT NOT NULL DEFAULT ''"),
          List.of(
              "CREATE TABLE drained_gpus (node TEXT NOT NULL, gpu TEXT NOT NULL,"
                  + " reason TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (node, gpu))"
                  + " WITHOUT ROWID"));

  private Schema() {}

  /** Returns the version that this build writes. */
  static int version() {
    return STEPS.size();
  }

  /** Returns whether the file needs no upgrade. */
  static boolean isNewest(Connection connection) throws SQLException {
    return found(connection) == version();
  }

  /** Returns whether the file has no tables yet. */
  static boolean isEmpty(Connection connection) throws SQLException {
    return found(connection) == 0;
  }

  /**
   * Creates or upgrades the tables.
   *
   * @throws StoreDamagedException if a newer build has written the file
   */
  static void prepare(Connection connection) throws SQLException, StoreDamagedException {
    int found = found(connection);
    StoreDamagedException.requireKnown(found, version(), "REMUDA_HOME");
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (List<String> step : STEPS.subList(found, STEPS.size())) {
        for (String sql : step) {
          statement.execute(sql);
        }
      }
      statement.execute("PRAGMA user_version = " + version());
      connection.commit();
    }
    connection.setAutoCommit(true);
  }

  /** Returns the version of a file, 0 if it has no tables. */
  static int found(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA user_version")) {
      return result.getInt(1);
    }
  }
}
