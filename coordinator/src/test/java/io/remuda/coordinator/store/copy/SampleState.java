package io.remuda.coordinator.store.copy;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.preempted;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StateFileOperations;
import io.remuda.coordinator.store.StateInUseException;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.coordinator.testkit.TestPostgres;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;

/** A place for a state, in a file or in a real PostgreSQL server. */
interface SampleState {

  /** Opens it as a server does. */
  StoreOpener.Opened openAtOnce() throws Exception;

  /** Opens it as a server does, once the session that had its lock before is gone. */
  default StoreOpener.Opened open() throws Exception {
    return unlessInUse(this::openAtOnce);
  }

  /** Tries for a while: PostgreSQL frees the lock of a closed session a moment later. */
  static <T> T unlessInUse(Callable<T> call) throws Exception {
    for (int tries = 0; tries < 100; tries++) {
      try {
        return call.call();
      } catch (StateInUseException notYet) {
        Thread.sleep(20);
      }
    }
    return call.call();
  }

  /** Fills it with jobs and all that belongs to them, and with users. */
  default StoreState fill(int jobs) throws Exception {
    StoreOpener.Opened opened = open();
    for (int id = 1; id <= jobs; id++) {
      JobSpec job = spec(id, 10);
      boolean over = id % 3 == 0;
      TaskState state = over ? TaskState.FAILED : TaskState.RUNNING;
      write(
          opened.journal(),
          new StoreChange.JobAdded(job, row(job, state, over ? 3000 : 0)),
          new StoreChange.TaskMoved(task(id, 0, state)),
          new StoreChange.TaskMoved(over ? task(id, 1, state) : preempted(id, 1)),
          new StoreChange.Happened(
              new EventLogEntry(id, 5, id, 0, "task-started", "{\"n\":\"\u00e4\"}")),
          new StoreChange.ProfileSet(
              Profile.unknown(new JobType("ann", "type " + (char) (id % 2 * 32 + 64 + id)))
                  .ran(5L << 30, 80, 1000),
              id));
    }
    for (String name : List.of("ann", "Bob", "\u00e4da", "carl-2", "carl_1")) {
      write(
          opened.journal(),
          new StoreChange.UserSet(
              new UserRow(name, 1.5, "00ff", new UserLimits(4L, null, 20L, null))),
          new StoreChange.UseNoted(name, 0.1 + name.length()),
          new StoreChange.UsageAdded(
              new UsageKey(name.length(), name, "train \u00e4", "n1"), UsageTotals.NONE),
          new StoreChange.NodeDrained("node-" + name, name.equals("ann") ? "" : "of " + name),
          new StoreChange.GpuDrained("node-" + name, new DeviceId("GPU-" + name), ""));
    }
    opened.journal().close();
    return opened.state();
  }

  /** Takes it as a copy does. */
  DatabaseBackend take() throws Exception;

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
      public StoreOpener.Opened openAtOnce() throws Exception {
        return StoreOpener.open(folder, CLOCK);
      }

      @Override
      public DatabaseBackend take() throws Exception {
        return StateFileOperations.takeOrMake(folder);
      }

      @Override
      public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(StoreOpener.FILE));
      }
    };
  }

  static SampleState postgres() throws Exception {
    String url = TestPostgres.newUrl();
    return new SampleState() {
      @Override
      public StoreOpener.Opened openAtOnce() throws Exception {
        return StoreOpener.open(new PostgresDatabase(url), CLOCK);
      }

      @Override
      public DatabaseBackend take() {
        return new PostgresDatabase(url);
      }

      @Override
      public Connection connect() throws SQLException {
        return new PostgresDatabase(url).connect();
      }
    };
  }
}
