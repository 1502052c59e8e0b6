package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that can grow no more: SQLite says of it what it says of a full disk. */
class JournalFullTest {
  @TempDir private Path folder;

  private static void mostPages(Connection connection, long pages) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA max_page_count = " + pages);
    }
  }

  private static StoreChange job(long id) {
    JobSpec job = spec(id, 1, Map.of("A", (id + "x").repeat(20_000)));
    return new StoreChange.JobAdded(job, row(job, TaskState.WAITING, 0));
  }

  @Test
  void batches_wait_in_their_order_while_the_disk_is_full_and_none_is_lost() throws Exception {
    StoreOpener.Opened before = StoreOpener.open(folder, CLOCK);
    write(before.journal(), job(1));
    before.journal().close();
    Path file = folder.resolve(StoreOpener.FILE);
    try (Connection connection = SqliteDatabase.connect(file)) {
      mostPages(connection, 1); // as many as there are
      MetaTable checksums = MetaTable.read(connection);
      DatabaseBackend database =
          new SqliteDatabase(OpenedStateFileCheck.of(file), StateCommitCountFile.take(folder));
      JournalWriter journal =
          new JournalWriter(
              database,
              connection,
              checksums,
              StateLoader.load(database, connection, checksums, 0, 1L << 30));
      journal.start();
      CountDownLatch durable = new CountDownLatch(3);
      StringBuffer order = new StringBuffer();
      for (int id = 2; id <= 4; id++) {
        int number = id;
        journal.append(
            List.of(job(id)),
            () -> {
              order.append(number);
              durable.countDown();
            });
      }
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (journal.trouble().isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertTrue(journal.trouble().orElse("none").contains("full"), journal.trouble().toString());
      assertEquals(3, durable.getCount(), "nothing is durable, and nobody was told so");
      mostPages(connection, 1_000_000);
      assertTrue(durable.await(60, TimeUnit.SECONDS));
      assertEquals("234", order.toString());
      assertTrue(journal.trouble().isEmpty(), journal.trouble().toString());
      journal.close();
    }
    StoreOpener.Opened after = StoreOpener.open(folder, CLOCK);
    assertEquals(4, after.state().jobs().size());
    after.journal().close();
  }
}
