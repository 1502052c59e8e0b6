package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.job.JobId;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader whose database goes away and comes back. */
class StateAwayExceptionTest {

  private Connection last;

  @TempDir private Path folder;
  private final AtomicBoolean away = new AtomicBoolean();

  /** A file that can be away as a server can. */
  private DatabaseBackend losing(DatabaseBackend file) {
    return (DatabaseBackend)
        Proxy.newProxyInstance(
            DatabaseBackend.class.getClassLoader(),
            new Class<?>[] {DatabaseBackend.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("isLost")) {
                return true;
              }
              if (method.getName().equals("connectToRead") && away.get()) {
                throw new SQLException("refused");
              }
              Object result = method.invoke(file, arguments);
              if (result instanceof Connection opened) {
                last = opened;
              }
              return result;
            });
  }

  @Test
  void it_says_so_while_it_is_away_and_reads_when_it_is_back() throws Exception {
    StoreOpener.open(folder, CLOCK).journal().close();
    DatabaseBackend file =
        new SqliteDatabase(OpenedStateFileCheck.of(folder.resolve(StoreOpener.FILE)), null);
    try (StoreReader reader = new StoreReader(losing(file))) {
      last.close(); // as when it breaks
      away.set(true);
      for (int i = 0; i < 2; i++) {
        StateAwayException said =
            assertThrows(StateAwayException.class, () -> reader.job(new JobId(1)));
        assertEquals(file.name() + ": refused", said.getMessage());
      }
      away.set(false);
      assertEquals(Optional.empty(), reader.job(new JobId(1)));
    }
  }

  @Test
  void a_reader_that_is_closed_opens_no_other_connection() throws Exception {
    StoreOpener.open(folder, CLOCK).journal().close();
    DatabaseBackend file =
        new SqliteDatabase(OpenedStateFileCheck.of(folder.resolve(StoreOpener.FILE)), null);
    StoreReader reader = new StoreReader(losing(file));
    reader.close();
    Connection before = last;
    StateAwayException said =
        assertThrows(StateAwayException.class, () -> reader.job(new JobId(1)));
    assertEquals(file.name() + ": this server ends", said.getMessage());
    assertEquals(before, last);
  }
}
