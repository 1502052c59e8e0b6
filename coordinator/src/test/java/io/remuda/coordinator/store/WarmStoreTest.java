package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.warm.WarmState;
import io.remuda.coordinator.testkit.TestPostgres;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is opened by one who has read its live jobs ahead, as others do without. */
@Timeout(120)
class WarmStoreTest extends StoreContract {

  private PostgresDatabase database;

  /** Has read ahead since the opening before the last one, so that it is behind. */
  private WarmState warm = new WarmState(1 << 30);

  private long sequence;

  @BeforeEach
  void makePlace() throws IOException, SQLException {
    database = new PostgresDatabase(TestPostgres.newUrl());
  }

  @Override
  StoreOpener.Opened open() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(database, CLOCK, UpgradePermit.ALONE, warm::take);
    warm = new WarmState(1 << 30);
    follow();
    return opened;
  }

  private void follow() throws Exception {
    try (Connection connection = database.connectToRead()) {
      while (warm.follow(connection) == WarmState.Progress.MORE) {
        // until it has all
      }
    }
  }

  private StoreState cold() throws Exception {
    return state(Optional.empty());
  }

  private StoreState state(Optional<WarmState.Rows> rows) throws Exception {
    try (Connection connection = database.connect()) {
      return StateLoader.load(database, connection, MetaTable.read(connection), 0, 1L << 30, rows)
          .state();
    }
  }

  private void assertSameAsCold() throws Exception {
    StoreState cold = cold();
    StoreState warmed = state(warm.take());
    assertEquals(cold.jobs(), warmed.jobs());
    assertEquals(cold.tasks(), warmed.tasks());
    assertEquals(cold.ended().keySet(), warmed.ended().keySet());
  }

  private static StoreChange job(long id) {
    JobSpec job = spec(id, 3);
    return new StoreChange.JobAdded(job, row(job, TaskState.WAITING, 0));
  }

  private StoreChange event(long job, int task) {
    return new StoreChange.Happened(new EventLogEntry(++sequence, 0, job, task, "x", "{}"));
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void what_changed_without_an_event_since_it_was_read_is_read_again() throws Exception {
    StoreOpener.Opened opened = open();
    write(
        opened.journal(), job(1), job(2), new StoreChange.TaskMoved(task(1, 0, TaskState.RUNNING)));
    warm = new WarmState(1 << 30);
    follow();
    write(
        opened.journal(),
        job(3),
        new StoreChange.JobMoved(row(spec(2, 3), TaskState.CANCELLED, 3000)),
        new StoreChange.TaskMoved(task(1, 0, TaskState.SUCCEEDED)),
        new StoreChange.TaskMoved(task(1, 1, TaskState.RUNNING)));
    opened.journal().close();
    assertSameAsCold();
  }

  @Test
  void what_events_tell_of_is_read_ahead() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1), event(1, -1));
    follow();
    write(
        opened.journal(),
        job(2),
        event(2, -1),
        new StoreChange.TaskMoved(task(1, 2, TaskState.RUNNING)),
        event(1, 2));
    follow();
    opened.journal().close();
    run("UPDATE jobs SET name = 'changed behind its sum' WHERE id = 2");
    run("UPDATE tasks SET node = 'changed behind its sum'");
    assertThrows(StoreDamagedException.class, this::cold, "else this test shows nothing");
    assertEquals(2, state(warm.take()).jobs().size(), "nothing was read again");
  }

  @Test
  void a_rehearsal_is_of_the_same_state_and_leaves_the_rows_as_they_are() throws Exception {
    StoreOpener.Opened opened = open();
    write(
        opened.journal(),
        job(2),
        job(1),
        new StoreChange.TaskMoved(task(1, 0, TaskState.RUNNING)),
        new StoreChange.TaskMoved(task(2, 1, TaskState.SUCCEEDED)));
    opened.journal().close();
    warm = new WarmState(1 << 30);
    follow();
    WarmState.Rows copy = warm.copy().orElseThrow();
    try (Connection connection = database.connectToRead()) {
      StoreState rehearsed =
          StateRehearsal.load(connection, copy, 1L << 30, () -> false).orElseThrow();
      assertEquals(cold().jobs(), rehearsed.jobs());
      assertEquals(cold().tasks(), rehearsed.tasks());
      assertEquals(cold().ended().keySet(), rehearsed.ended().keySet());
    }
    assertSameAsCold();
    assertEquals(Optional.empty(), warm.copy(), "the rows were taken");
  }

  @Test
  void a_rehearsal_ends_once_the_rows_are_taken_and_counts_what_it_makes() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1), new StoreChange.TaskMoved(task(1, 0, TaskState.RUNNING)));
    opened.journal().close();
    warm = new WarmState(1 << 30);
    follow();
    WarmState.Rows copy = warm.copy().orElseThrow();
    try (Connection connection = database.connectToRead()) {
      assertThrows(
          StoreTooLargeException.class,
          () -> StateRehearsal.load(connection, copy, 2500, warm::isOver),
          "a job with its texts, and a task");
      warm.take();
      assertEquals(Optional.empty(), StateRehearsal.load(connection, copy, 1L << 30, warm::isOver));
    }
  }

  @Test
  void a_job_that_has_ended_is_kept_no_longer() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1), event(1, -1));
    follow();
    write(
        opened.journal(),
        new StoreChange.JobMoved(row(spec(1, 3), TaskState.CANCELLED, 3000)),
        event(1, -1));
    follow();
    opened.journal().close();
    assertEquals(List.of(), state(warm.take()).jobs());
  }

  @Test
  void a_row_that_is_missing_is_missed_as_by_others() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1), job(2));
    warm = new WarmState(1 << 30);
    follow();
    opened.journal().close();
    run("DELETE FROM jobs WHERE id = 2");
    assertThrows(StoreDamagedException.class, () -> state(warm.take()));
  }

  @Test
  void more_changes_than_one_step_reads_are_read_in_several() throws Exception {
    StoreOpener.Opened opened = open();
    List<StoreChange> all = new ArrayList<>();
    for (int id = 1; id <= 2600; id++) {
      all.add(job(id));
      all.add(event(id, -1));
      all.add(event(id, -1));
    }
    write(opened.journal(), all.toArray(StoreChange[]::new));
    try (Connection connection = database.connectToRead()) {
      assertEquals(WarmState.Progress.MORE, warm.follow(connection));
      assertEquals(WarmState.Progress.UP_TO_DATE, warm.follow(connection));
    }
    opened.journal().close();
    assertSameAsCold();
  }

  @Test
  void one_that_has_not_read_all_yet_gives_nothing_and_follows_no_more() throws Exception {
    StoreOpener.Opened opened = open();
    WarmState late = new WarmState(1 << 30);
    assertEquals(Optional.empty(), late.take());
    try (Connection connection = database.connectToRead()) {
      assertEquals(WarmState.Progress.OVER, late.follow(connection));
    }
    opened.journal().close();
  }

  @Test
  void what_would_use_too_much_memory_is_not_kept() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1), job(2));
    opened.journal().close();
    WarmState small = new WarmState(3000);
    try (Connection connection = database.connectToRead()) {
      assertEquals(WarmState.Progress.OVER, small.follow(connection));
    }
    assertEquals(Optional.empty(), small.take());
  }

  @Test
  void a_damaged_row_is_left_to_who_is_to_lead() throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), job(1));
    opened.journal().close();
    run("UPDATE jobs SET name = 'changed behind its sum'");
    WarmState damaged = new WarmState(1 << 30);
    try (Connection connection = database.connectToRead()) {
      assertEquals(WarmState.Progress.OVER, damaged.follow(connection));
    }
    assertEquals(Optional.empty(), damaged.take());
    assertThrows(StoreDamagedException.class, this::cold);
  }
}
