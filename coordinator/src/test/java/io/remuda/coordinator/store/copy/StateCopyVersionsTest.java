package io.remuda.coordinator.store.copy;

import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.StoredTable;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of states that other builds have written, and the tables of this build. */
@Timeout(120)
class StateCopyVersionsTest {

  @TempDir private Path folder;
  private SampleState file;
  private SampleState database;

  @BeforeEach
  void make() throws Exception {
    file = SampleState.file(folder);
    database = SampleState.postgres();
    StoreOpener.Opened opened = file.open();
    JobSpec job = spec(1, 1);
    write(opened.journal(), new StoreChange.JobAdded(job, row(job, TaskState.FAILED, 3000)));
    opened.journal().close();
  }

  private static void copy(SampleState from, SampleState to) throws Exception {
    SampleState.unlessInUse(() -> copyAtOnce(from, to));
  }

  private static StateCopy.Summary copyAtOnce(SampleState from, SampleState to) throws Exception {
    try (DatabaseBackend one = from.take();
        DatabaseBackend other = to.take()) {
      return StateCopy.run(one, other, (phase, table, done, all) -> {}, () -> {});
    }
  }

  private static Set<String> columns(SampleState place, String table) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (Connection connection = place.connect();
        ResultSet column =
            connection.getMetaData().getColumns(null, connection.getSchema(), table, null)) {
      while (column.next()) {
        names.add(column.getString("COLUMN_NAME"));
      }
    }
    return names;
  }

  private static Set<String> tables(SampleState place) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (Connection connection = place.connect();
        ResultSet table =
            connection
                .getMetaData()
                .getTables(null, connection.getSchema(), null, new String[] {"TABLE"})) {
      while (table.next()) {
        names.add(table.getString("TABLE_NAME"));
      }
    }
    return names;
  }

  @Test
  void all_tables_and_all_their_columns_are_copied() throws Exception {
    database.open().journal().close();
    Set<String> copied = new TreeSet<>(Set.of("meta", "lineage"));
    for (StoredTable<?> table : RowMapping.COPIED) {
      copied.add(table.name());
      Set<String> expected = new TreeSet<>(table.columns());
      expected.add("sum");
      assertEquals(columns(file, table.name()), expected, table.name());
      assertEquals(columns(database, table.name()), expected, table.name());
    }
    Set<String> ofDatabase = new TreeSet<>(copied);
    ofDatabase.add("schema_version");
    assertEquals(copied, tables(file));
    assertEquals(ofDatabase, tables(database));
  }

  @Test
  void a_text_with_a_nul_of_an_early_build_is_copied_without_it() throws Exception {
    Object[] columns = RowMapping.JOBS.values(row(spec(1, 1), TaskState.FAILED, 3000));
    columns[10] = "a\0b";
    long before = file.number("SELECT sum FROM jobs");
    long sum = RowMapping.JOBS.sum(columns);
    try (Connection connection = file.connect();
        PreparedStatement update =
            connection.prepareStatement("UPDATE jobs SET reason = ?, sum = ?")) {
      update.setString(1, "a\0b");
      update.setLong(2, sum);
      update.executeUpdate();
    }
    assertEquals(before, file.number("SELECT value FROM meta WHERE key = 'sum-of-jobs'"));
    Object[] meta = {"sum-of-jobs", Long.toString(sum)};
    file.run(
        "UPDATE meta SET value = '"
            + sum
            + "', sum = "
            + io.remuda.coordinator.store.row.RowChecksum.of(meta)
            + " WHERE key = 'sum-of-jobs'");
    copy(file, database);
    StoreOpener.Opened opened = database.open();
    try (var reader = opened.store().reader()) {
      assertEquals("a\ufffdb", reader.job(spec(1, 1).id()).orElseThrow().reason());
    }
    opened.journal().close();
  }

  @Test
  void a_state_of_a_newer_build_is_refused() throws Exception {
    file.run("PRAGMA user_version = 99");
    StoreDamagedException no =
        assertThrows(StoreDamagedException.class, () -> copy(file, database));
    assertTrue(no.getMessage().contains("version 99"), no.getMessage());
    assertTrue(no.getMessage().contains("use the newer build"), no.getMessage());
  }

  @Test
  void a_state_of_an_older_build_is_to_be_upgraded_first() throws Exception {
    file.run("PRAGMA user_version = 8");
    IOException no = assertThrows(IOException.class, () -> copy(file, database));
    assertTrue(no.getMessage().contains("start this build's server on it once"), no::getMessage);
  }

  @Test
  void a_target_of_a_newer_build_is_refused() throws Exception {
    database.open().journal().close();
    database.run("INSERT INTO schema_version VALUES (99)");
    StoreDamagedException no =
        assertThrows(StoreDamagedException.class, () -> copy(file, database));
    assertTrue(no.getMessage().contains("version 99"), no.getMessage());
  }

  @Test
  void a_folder_without_a_state_is_refused() throws Exception {
    SampleState empty = SampleState.file(Files.createDirectories(folder.resolve("empty")));
    IOException no = assertThrows(IOException.class, () -> copy(empty, database));
    assertTrue(no.getMessage().contains("has no state"), no.getMessage());
  }

  @Test
  void a_copy_and_back_is_the_same_state_of_a_later_birth() throws Exception {
    StoreOpener.Opened first = file.open();
    first.journal().close();
    final int before = first.state().lineage().origins().size();
    copy(file, database);
    database.open().journal().close();
    SampleState back = SampleState.file(folder.resolve("back"));
    copy(database, back);
    StoreOpener.Opened opened = back.open();
    assertEquals(2, opened.state().nextJob());
    assertEquals(before + 2, opened.state().lineage().origins().size());
    opened.journal().close();
  }
}
