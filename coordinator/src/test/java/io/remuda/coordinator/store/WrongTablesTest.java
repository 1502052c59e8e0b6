package io.remuda.coordinator.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A state file that another program has changed in ways that SQLite itself does not notice. */
class WrongTablesTest {

  @TempDir private Path folder;

  @BeforeEach
  void aState() throws Exception {
    StoreOpener.Opened store = StoreOpener.open(folder, StoreSamples.CLOCK);
    JobSpec job = StoreSamples.spec(1, 2);
    StoreSamples.write(
        store.journal(),
        new StoreChange.JobAdded(job, StoreSamples.row(job, TaskState.SUBMITTED, 0)));
    store.journal().close();
  }

  private void changed(String sql) throws Exception {
    try (Connection other =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(StoreOpener.FILE));
        Statement statement = other.createStatement()) {
      statement.execute(sql);
    }
  }

  private String refusal() {
    return assertThrows(
            StoreDamagedException.class, () -> StoreOpener.open(folder, StoreSamples.CLOCK))
        .getMessage();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRAGMA user_version = -5",
        "PRAGMA user_version = -2147483648",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 1",
        "PRAGMA user_version = 2",
        "PRAGMA user_version = 13",
        "DROP TABLE notices",
        "DROP TABLE specs",
        "DROP TABLE meta",
        "DROP TABLE usage",
        "ALTER TABLE jobs RENAME COLUMN gang TO band",
        "ALTER TABLE tasks DROP COLUMN gpus",
        "UPDATE jobs SET state = 'DANCING'",
        "UPDATE jobs SET uuid = 'no uuid'",
        "UPDATE jobs SET tasks = -1",
        "UPDATE specs SET body = '{}'",
        "UPDATE meta SET value = 'many'"
      })
  void what_no_build_has_written_is_refused_in_our_words_with_what_to_do(String sql)
      throws Exception {
    changed(sql);
    String said = refusal();
    assertTrue(said.startsWith(folder.resolve(StoreOpener.FILE) + ": "), said);
    assertTrue(said.endsWith(StoreOpener.REPAIR), said);
    assertFalse(
        said.contains("Exception") || said.contains("Index") || said.contains("null"), said);
    assertFalse(said.contains("\n\tat "), said);
  }

  @Test
  void a_version_that_is_below_zero_is_named() throws Exception {
    changed("PRAGMA user_version = -5");
    assertEquals(
        folder.resolve(StoreOpener.FILE)
            + ": its schema has version -5, which no build writes: it is damaged"
            + StoreOpener.REPAIR,
        refusal());
  }
}
