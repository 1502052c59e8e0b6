package io.remuda.coordinator.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL server for the tests of this process, which ends with it. */
public final class TestPostgres {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static EmbeddedPostgres server;

  private TestPostgres() {}

  private static synchronized EmbeddedPostgres server() throws IOException {
    if (server == null) {
      server =
          EmbeddedPostgres.builder()
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("fsync", "off") // the tests end processes, and never the machine
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(TestPostgres::end));
    }
    return server;
  }

  private static void end() {
    try {
      server.close();
    } catch (IOException gone) {
      // it ends with this process
    }
  }

  /** Runs a statement as the owner of the server. */
  public static void run(String sql) throws IOException, SQLException {
    try (Connection connection = server().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the address of a place without tables, which no other test has. */
  public static String newUrl() throws IOException, SQLException {
    String schema = "test" + SCHEMAS.incrementAndGet();
    run("CREATE SCHEMA " + schema);
    return server().getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
  }
}
