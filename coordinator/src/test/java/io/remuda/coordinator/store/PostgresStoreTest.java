package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.OtherBuildStateException;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.testkit.TestPostgres;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store in a real PostgreSQL server. */
@Timeout(120)
class PostgresStoreTest extends StoreContract {

  private static final String OWN_SESSIONS =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'remuda'";

  private String url;

  @BeforeEach
  void makePlace() throws IOException, SQLException {
    url = TestPostgres.newUrl();
  }

  @Override
  StoreOpener.Opened open() throws Exception {
    return StoreOpener.open(new PostgresDatabase(url), CLOCK);
  }

  private static StoreChange job(long id) {
    JobSpec job = spec(id, 1);
    return new StoreChange.JobAdded(job, row(job, TaskState.WAITING, 0));
  }

  /** Runs a statement in the place of this test. */
  private void run(String sql) throws SQLException {
    try (Connection connection = new PostgresDatabase(url).connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void tables_are_not_made_without_a_permit_and_nothing_is_taken_over() throws Exception {
    PostgresDatabase database = new PostgresDatabase(url);
    UpgradePermit none =
        (found, newest) -> {
          throw new OtherBuildStateException(found + " to " + newest);
        };
    StoreDamagedException held =
        assertThrows(StoreDamagedException.class, () -> StoreOpener.open(database, CLOCK, none));
    assertTrue(held.getMessage().endsWith("0 to " + database.newestVersion()), held.getMessage());
    try (Connection connection = database.connectToRead()) {
      assertEquals(0, database.version(connection));
    }
    open().journal().close();
    StoreOpener.open(database, CLOCK, none).journal().close(); // which needs no upgrade
  }

  @Test
  void a_build_that_is_too_old_for_the_tables_says_so() throws Exception {
    PostgresDatabase database = new PostgresDatabase(url);
    assertEquals(Optional.empty(), StoreOpener.outdated(database));
    open().journal().close();
    assertEquals(Optional.empty(), StoreOpener.outdated(database));
    run("INSERT INTO schema_version VALUES (77)");
    assertEquals(
        Optional.of(
            "the state in "
                + database.name()
                + ": its schema has version 77, this build knows "
                + database.newestVersion()
                + ": use the newer build, or another database"),
        StoreOpener.outdated(database));
    assertInstanceOf(
        OtherBuildStateException.class,
        assertThrows(StoreDamagedException.class, this::open).getCause());
  }

  @Test
  void a_database_of_the_first_schema_is_brought_up() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1), new StoreChange.NodeDrained("n1", ""));
    opened.journal().close();
    run("DROP TABLE drained_gpus");
    run("ALTER TABLE drained DROP COLUMN reason");
    run("DROP TABLE usage");
    run("DROP TABLE notices");
    run("ALTER TABLE users DROP COLUMN limits");
    run("DELETE FROM schema_version WHERE version > 1");
    what_attempts_used_is_added_up_by_day_user_type_and_node();
    StoreState state = open().state();
    assertEquals(1, state.jobs().size());
    assertEquals(Map.of("n1", NodeDrain.whole("")), state.drained());
  }

  @Test
  void an_address_cannot_have_commits_that_are_not_durable() throws Exception {
    String careless = url + "&options=-c%20synchronous_commit=off";
    try (Connection connection = new PostgresDatabase(careless).connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
      assertTrue(row.next());
      assertEquals("on", row.getString(1));
    }
  }

  @Test
  void a_state_that_needs_more_memory_than_there_is_is_refused_with_what_to_do() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec large = spec(1, 1_000_000);
    write(opened.journal(), new StoreChange.JobAdded(large, row(large, TaskState.WAITING, 0)));
    opened.journal().close();
    PostgresDatabase database = new PostgresDatabase(url);
    StoreTooLargeException no =
        assertThrows(
            StoreTooLargeException.class, () -> StoreOpener.open(database, CLOCK, 1L << 20));
    assertTrue(no.getMessage().endsWith("REMUDA_SERVER_MEMORY=256m remuda serve"), no::getMessage);
    StoreOpener.Opened again = open();
    assertEquals(1, again.state().jobs().size());
    assertFalse(again.isNew());
    again.journal().close();
  }

  @Test
  void a_second_server_is_refused_while_the_first_is_connected() throws Exception {
    StoreOpener.Opened first = open();
    StateInUseException taken = assertThrows(StateInUseException.class, this::open);
    assertTrue(taken.getMessage().contains("another server uses postgresql://"), taken::toString);
    write(first.journal(), job(1));
    first.journal().close();
    open().journal().close();
  }

  @Test
  void a_server_that_was_taken_over_writes_no_more() throws Exception {
    StoreOpener.Opened first = open();
    write(first.journal(), job(1));
    TestPostgres.run(OWN_SESSIONS); // as after a cut of its network
    StoreOpener.Opened second = open();
    assertTrue(second.state().epoch() > first.state().epoch());
    CountDownLatch lost = new CountDownLatch(1);
    first.journal().onLost(lost::countDown);
    first.journal().append(List.of(new StoreChange.NodeDrained("n1", "")), () -> {});
    assertTrue(lost.await(60, TimeUnit.SECONDS));
    write(second.journal(), job(2));
    first.journal().close();
    second.journal().close();
    StoreOpener.Opened third = open();
    assertEquals(Map.of(), third.state().drained());
    assertEquals(2, third.state().jobs().size());
    third.journal().close();
  }

  @Test
  void what_a_stopped_server_had_begun_to_write_does_not_keep_the_next_one_waiting_for_long()
      throws Exception {
    StoreOpener.Opened first = open();
    write(first.journal(), job(1));
    first.journal().close();
    PostgresDatabase database = new PostgresDatabase(url);
    try (Connection stopped = database.connect();
        Statement statement = stopped.createStatement()) {
      stopped.setAutoCommit(false);
      statement.executeQuery("SELECT value FROM meta WHERE key = 'epoch'" + database.locked());
      statement.execute("UPDATE meta SET value = '7' WHERE key = 'last-job'");
      StoreOpener.Opened second = open();
      assertEquals(2, second.state().nextJob());
      second.journal().close();
      assertThrows(SQLException.class, stopped::commit);
    }
  }

  @Test
  void a_lost_connection_is_opened_anew_and_nothing_is_lost_or_written_twice() throws Exception {
    StoreOpener.Opened opened = open();
    try (StoreReader reader = opened.store().reader()) {
      for (int id = 1; id <= 5; id++) {
        write(opened.journal(), job(id));
        assertTrue(reader.job(spec(id, 1).id()).isPresent());
        TestPostgres.run(OWN_SESSIONS);
      }
      write(opened.journal(), job(6));
      assertTrue(opened.journal().trouble().isEmpty(), opened.journal().trouble().toString());
    }
    opened.journal().close();
    StoreOpener.Opened again = open();
    assertEquals(6, again.state().jobs().size());
    again.journal().close();
  }

  @Test
  void a_database_of_a_newer_build_is_refused() throws Exception {
    open().journal().close();
    run("INSERT INTO schema_version VALUES (99)");
    StoreDamagedException no = assertThrows(StoreDamagedException.class, this::open);
    assertTrue(no.getMessage().contains("version 99"), no.getMessage());
  }

  @Test
  void a_row_that_was_changed_by_others_is_noticed() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1));
    opened.journal().close();
    run("UPDATE jobs SET name = 'other'");
    StoreDamagedException no = assertThrows(StoreDamagedException.class, this::open);
    assertTrue(no.getMessage().contains("job 1"), no.getMessage());
  }

  @Test
  void its_name_has_no_password() {
    PostgresDatabase database =
        new PostgresDatabase("jdbc:postgresql://db1,db2:6432/lab?user=ann&password=hidden");
    assertEquals("postgresql://db1:5432,db2:6432/lab", database.name());
    assertTrue(PostgresDatabase.hasPassword("jdbc:postgresql://db1/lab?user=ann&password=hidden"));
    assertFalse(PostgresDatabase.hasPassword(url));
  }

  @Test
  void an_address_of_another_kind_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> new PostgresDatabase("jdbc:mysql://a/b"));
    assertThrows(IllegalArgumentException.class, () -> new PostgresDatabase("postgres"));
  }
}
