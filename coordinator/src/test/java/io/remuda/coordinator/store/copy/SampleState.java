package io.remuda.coordinator.store.copy;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;

import io.remuda.coordinator.store.Database;
import io.remuda.coordinator.store.StateFiles;
import io.remuda.coordinator.store.StateInUse;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.testkit.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;

/** A place for a state, in a file or in a real PostgreSQL server. */
interface SampleState {

  /** Opens it as a server does. */
  Store.Opened openAtOnce() throws Exception;

  /** Opens it as a server does, once the session that had its lock before is gone. */
  default Store.Opened open() throws Exception {
    return unlessInUse(this::openAtOnce);
  }

  /** Tries for a while: PostgreSQL frees the lock of a closed session a moment later. */
  static <T> T unlessInUse(Callable<T> call) throws Exception {
    for (int tries = 0; tries < 100; tries++) {
      try {
        return call.call();
      } catch (StateInUse notYet) {
        Thread.sleep(20);
      }
    }
    return call.call();
  }

  /** Takes it as a copy does. */
  Database take() throws Exception;

  /** Opens a connection past all checks. */
  Connection connect() throws SQLException;

  default void run(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  default long number(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  static SampleState file(Path folder) {
    return new SampleState() {
      @Override
      public Store.Opened openAtOnce() throws Exception {
        return Store.open(folder, CLOCK);
      }

      @Override
      public Database take() throws Exception {
        return StateFiles.takeOrMake(folder);
      }

      @Override
      public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(Store.FILE));
      }
    };
  }

  static SampleState postgres() throws Exception {
    String url = TestPostgres.newUrl();
    return new SampleState() {
      @Override
      public Store.Opened openAtOnce() throws Exception {
        return Store.open(new PostgresDatabase(url), CLOCK);
      }

      @Override
      public Database take() {
        return new PostgresDatabase(url);
      }

      @Override
      public Connection connect() throws SQLException {
        return new PostgresDatabase(url).connect();
      }
    };
  }
}
