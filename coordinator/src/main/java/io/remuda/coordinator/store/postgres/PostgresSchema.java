package io.remuda.coordinator.store.postgres;

import io.remuda.coordinator.store.row.StoreDamagedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables, by version, as {@code Schema} has them for SQLite. */
final class PostgresSchema {

  /** Any number that other programs do not use; servers that begin at once upgrade in turn. */
  private static final long UPGRADE_LOCK = 0x52656d756461L; // "Remuda"

  /** The statements that upgrade a database by one version each. */
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum BIGINT NOT NULL)",
              "CREATE TABLE environments (hash TEXT PRIMARY KEY, body TEXT NOT NULL,"
                  + " sum BIGINT NOT NULL)",
              "CREATE TABLE specs (job BIGINT PRIMARY KEY, body TEXT NOT NULL, environment TEXT,"
                  + " sum BIGINT NOT NULL)",
              "CREATE INDEX specs_by_environment ON specs (environment)"
                  + " WHERE environment IS NOT NULL",
              "CREATE TABLE jobs (id BIGINT PRIMARY KEY, uuid TEXT NOT NULL,"
                  + " \"user\" TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL,"
                  + " first TEXT NOT NULL, tasks INTEGER NOT NULL, submitted BIGINT NOT NULL,"
                  + " started BIGINT NOT NULL, ended BIGINT NOT NULL, reason TEXT,"
                  + " exit_code INTEGER, open TEXT NOT NULL, client_key TEXT,"
                  + " epochs TEXT NOT NULL, gang TEXT NOT NULL, sum BIGINT NOT NULL)",
              "CREATE INDEX jobs_by_key ON jobs (\"user\", client_key)"
                  + " WHERE client_key IS NOT NULL",
              "CREATE INDEX jobs_by_end ON jobs (ended, id)",
              "CREATE TABLE tasks (job BIGINT NOT NULL, idx INTEGER NOT NULL,"
                  + " state TEXT NOT NULL, attempt INTEGER NOT NULL, node TEXT,"
                  + " devices TEXT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL,"
                  + " interruptions INTEGER NOT NULL, crashes INTEGER NOT NULL,"
                  + " overdue INTEGER NOT NULL, cause TEXT, \"end\" TEXT, seat BIGINT NOT NULL,"
                  + " gpu_memory BIGINT NOT NULL, gpu_floor BIGINT NOT NULL,"
                  + " memory_floor BIGINT NOT NULL, tag TEXT NOT NULL,"
                  + " preemptions INTEGER NOT NULL, lost_millis BIGINT NOT NULL,"
                  + " training TEXT NOT NULL, gpus INTEGER NOT NULL, sum BIGINT NOT NULL,"
                  + " PRIMARY KEY (job, idx))",
              "CREATE TABLE events (sequence BIGINT PRIMARY KEY, at BIGINT NOT NULL,"
                  + " job BIGINT NOT NULL, task INTEGER NOT NULL, what TEXT NOT NULL,"
                  + " detail TEXT NOT NULL, sum BIGINT NOT NULL)",
              "CREATE INDEX events_by_job ON events (job, sequence)",
              "CREATE TABLE users (name TEXT PRIMARY KEY, share DOUBLE PRECISION NOT NULL,"
                  + " token_hash TEXT NOT NULL, used DOUBLE PRECISION NOT NULL DEFAULT 0,"
                  + " sum BIGINT NOT NULL)",
              "CREATE TABLE drained (node TEXT PRIMARY KEY, sum BIGINT NOT NULL)",
              "CREATE TABLE profiles (\"user\" TEXT NOT NULL, type TEXT NOT NULL,"
                  + " body TEXT NOT NULL, updated BIGINT NOT NULL, sum BIGINT NOT NULL,"
                  + " PRIMARY KEY (\"user\", type))",
              "CREATE TABLE lineage (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                  + " birth BIGINT NOT NULL, last_job BIGINT NOT NULL, sum BIGINT NOT NULL)"),
          List.of(
              "CREATE TABLE usage (day BIGINT NOT NULL, \"user\" TEXT NOT NULL,"
                  + " type TEXT NOT NULL, node TEXT NOT NULL, body TEXT NOT NULL,"
                  + " sum BIGINT NOT NULL, PRIMARY KEY (day, \"user\", type, node))"),
          List.of("ALTER TABLE users ADD COLUMN limits TEXT NOT NULL DEFAULT ''"),
          List.of(
              "CREATE TABLE notices (number BIGINT PRIMARY KEY, content TEXT NOT NULL,"
                  + " sum BIGINT NOT NULL)"),
          List.of("ALTER TABLE drained ADD COLUMN reason TEXT NOT NULL DEFAULT ''"),
          List.of(
              "CREATE TABLE drained_gpus (node TEXT NOT NULL, gpu TEXT NOT NULL,"
                  + " reason TEXT NOT NULL, sum BIGINT NOT NULL, PRIMARY KEY (node, gpu))"));

  private PostgresSchema() {}

  /** Returns the version that this build writes. */
  static int version() {
    return STEPS.size();
  }

  /** Returns the version of a database, 0 if it has no tables. */
  static int found(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet there = statement.executeQuery("SELECT to_regclass('schema_version')")) {
        there.next();
        if (there.getString(1) == null) {
          return 0;
        }
      }
      try (ResultSet row = statement.executeQuery("SELECT max(version) FROM schema_version")) {
        return row.next() ? row.getInt(1) : 0;
      }
    }
  }

  /**
   * Creates or upgrades the tables, in one transaction.
   *
   * @throws StoreDamagedException if a newer build has written the database
   */
  static void prepare(Connection connection) throws SQLException, StoreDamagedException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + UPGRADE_LOCK + ")");
      int found = found(connection);
      StoreDamagedException.requireKnown(found, version(), "database");
      if (found == 0) {
        statement.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)");
      }
      for (List<String> step : STEPS.subList(found, STEPS.size())) {
        for (String sql : step) {
          statement.execute(sql);
        }
        found++;
        statement.execute("INSERT INTO schema_version VALUES (" + found + ")");
      }
      connection.commit();
    } finally {
      connection.rollback(); // does nothing after the commit
      connection.setAutoCommit(true);
    }
  }
}
