package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.jobsOf;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.query.JobQuery.JobFilter;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The removal of ended jobs, and the use of the space that they took. */
class RetentionTest {
  private static final Retention A_MINUTE = new Retention(Duration.ofMinutes(1), 1000);
  private static final long MINUTE = 60_000;
  private static final Map<String, String> SHELL = Map.of("A", "1");

  @TempDir private Path folder;
  private StoreOpener.Opened store;

  @BeforeEach
  void open() throws Exception {
    store = StoreOpener.open(folder, CLOCK);
  }

  @AfterEach
  void close() {
    store.journal().close();
  }

  private void reopen() throws Exception {
    store.journal().close();
    open();
  }

  private void over(long id, long ended) throws InterruptedException {
    over(spec(id, 2, SHELL), ended);
  }

  /** A job with two tasks and two events that ended then. */
  private void over(JobSpec job, long ended) throws InterruptedException {
    long id = job.id().value();
    write(
        store.journal(),
        new StoreChange.JobAdded(job, row(job, TaskState.WAITING, 0)),
        new StoreChange.Happened(new EventLogEntry(2 * id, ended, id, -1, "job-submitted", "{}")));
    write(
        store.journal(),
        new StoreChange.TaskMoved(task(id, 0, TaskState.FAILED)),
        new StoreChange.TaskMoved(task(id, 1, TaskState.FAILED)),
        new StoreChange.JobMoved(row(job, TaskState.FAILED, ended)),
        new StoreChange.Happened(new EventLogEntry(2 * id + 1, ended, id, -1, "job-failed", "{}")));
  }

  private void live(long id) throws InterruptedException {
    JobSpec job = spec(id, 2, SHELL);
    write(
        store.journal(),
        new StoreChange.JobAdded(job, row(job, TaskState.RUNNING, 0)),
        new StoreChange.TaskMoved(task(id, 0, TaskState.RUNNING)));
  }

  private int tidy(Retention retention, long now) throws Exception {
    return store.journal().tidy(retention, now).toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private List<Long> kept() throws Exception {
    try (StoreReader reader = store.store().reader()) {
      return JobQuery.newest(JobFilter.ALL, null, 1000).ask(reader).rows().stream()
          .map(job -> job.id().value())
          .sorted()
          .toList();
    }
  }

  private long count(String from) throws SQLException {
    try (Connection connection = SqliteDatabase.connect(folder.resolve(StoreOpener.FILE));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + from)) {
      return row.getLong(1);
    }
  }

  @Test
  void jobs_go_with_all_that_is_theirs_once_they_have_been_over_for_too_long() throws Exception {
    over(1, 1000);
    over(2, 2000);
    over(3, 2001);
    assertEquals(2, tidy(A_MINUTE, MINUTE + 2001));
    assertEquals(List.of(3L), kept());
    for (String table : List.of("jobs WHERE id", "tasks WHERE job", "events WHERE job")) {
      assertEquals(0, count(table + " IN (1, 2)"), table);
    }
    assertEquals(0, count("specs WHERE job IN (1, 2)"));
    assertEquals(2, count("tasks WHERE job = 3"));
    assertEquals(2, count("events WHERE job = 3"));
    reopen();
    assertEquals(List.of(3L), kept());
  }

  @Test
  void of_too_many_those_that_ended_last_are_kept() throws Exception {
    over(1, 9000);
    over(2, 1000);
    over(3, 5000);
    over(4, 7000);
    assertEquals(2, tidy(new Retention(Duration.ofDays(30), 2), 9000));
    assertEquals(List.of(1L, 4L), kept());
    assertEquals(0, tidy(new Retention(Duration.ofDays(30), 2), 9000));
    assertEquals(2, tidy(new Retention(Duration.ofDays(30), 0), 9000));
    assertEquals(List.of(), kept());
    reopen();
  }

  @Test
  void what_is_not_over_stays_however_old_it_is() throws Exception {
    live(1);
    over(2, 1000);
    live(3);
    reopen();
    List<Object> before = jobsOf(store.state());
    assertEquals(1, tidy(new Retention(Duration.ofMillis(1), 0), Long.MAX_VALUE / 2));
    reopen();
    assertEquals(before, jobsOf(store.state()));
    assertEquals(List.of(1L, 3L), kept());
  }

  @Test
  void an_environment_goes_with_the_last_job_that_names_it() throws Exception {
    over(spec(1, 1, Map.of("A", "1")), 1000);
    over(spec(2, 1, Map.of("A", "2")), 1000);
    over(spec(3, 1, Map.of("A", "2")), 2001);
    tidy(A_MINUTE, MINUTE + 2001);
    assertEquals(1, count("environments"));
    try (StoreReader reader = store.store().reader()) {
      assertEquals(
          spec(3, 1, Map.of("A", "2")), reader.spec(new JobId(3)).orElseThrow(), "still whole");
    }
    over(spec(4, 1, Map.of("A", "1")), 3000); // known before, and then no more
    reopen();
    try (StoreReader reader = store.store().reader()) {
      assertEquals(spec(4, 1, Map.of("A", "1")), reader.spec(new JobId(4)).orElseThrow());
    }
  }

  @Test
  void files_of_old_builds_know_their_environments_too() throws Exception {
    over(1, 1000);
    over(2, 2001);
    store.journal().close();
    try (Connection connection = SqliteDatabase.connect(folder.resolve(StoreOpener.FILE));
        Statement statement = connection.createStatement()) {
      StoreSamples.makeSecond(statement);
    }
    Files.delete(folder.resolve(StateCommitCountFile.FILE));
    open();
    tidy(A_MINUTE, MINUTE + 2001);
    assertEquals(1, count("environments"));
    tidy(A_MINUTE, MINUTE + 2002);
    assertEquals(0, count("environments"));
  }

  @Test
  void numbers_of_jobs_and_events_that_are_gone_are_not_given_again() throws Exception {
    over(7, 1000);
    tidy(A_MINUTE, 2 * MINUTE);
    try (StoreReader reader = store.store().reader()) {
      assertTrue(reader.isRemoved(new JobId(7)));
      assertFalse(reader.isRemoved(new JobId(8)), "there was none");
    }
    reopen();
    assertEquals(8, store.state().nextJob());
    assertEquals(16, store.state().nextEvent());
  }

  private List<StoreChange> largeJob(long id, int tasks) {
    JobSpec job = spec(id, tasks, SHELL);
    List<StoreChange> entries = new ArrayList<>();
    entries.add(new StoreChange.JobAdded(job, row(job, TaskState.WAITING, 0)));
    for (int i = 0; i < tasks; i++) {
      entries.add(new StoreChange.TaskMoved(task(id, i, TaskState.FAILED)));
      entries.add(
          new StoreChange.Happened(
              new EventLogEntry(id * 10_000 + i, 1000, id, i, "task-failed", "{\"attempt\":1}")));
    }
    entries.add(new StoreChange.JobMoved(row(job, TaskState.FAILED, 1000)));
    return entries;
  }

  @Test
  void what_is_to_be_committed_waits_for_one_step_at_most() throws Exception {
    write(store.journal(), largeJob(1, 5 * JobExpiry.ROWS_AT_ONCE).toArray(StoreChange[]::new));
    CompletableFuture<Boolean> before = new CompletableFuture<>();
    store
        .journal()
        .append(
            List.of(),
            () -> { // the writer's thread: it goes on only after this
              CompletableFuture<Integer> pass =
                  store.journal().tidy(A_MINUTE, 2 * MINUTE).toCompletableFuture();
              store
                  .journal()
                  .append(
                      List.of(new StoreChange.NodeDrained("n1", "")),
                      () -> before.complete(!pass.isDone()));
            });
    assertTrue(before.get(60, TimeUnit.SECONDS), "a commit has waited for the whole pass");
    tidy(A_MINUTE, 2 * MINUTE);
    assertEquals(List.of(), kept());
  }

  @Test
  void a_pass_that_was_broken_off_is_gone_on_with() throws Exception {
    write(store.journal(), largeJob(1, 8 * JobExpiry.ROWS_AT_ONCE).toArray(StoreChange[]::new));
    live(2);
    store.journal().tidy(A_MINUTE, 2 * MINUTE);
    write(store.journal(), new StoreChange.NodeDrained("n1", ""));
    reopen(); // the sums are those of what is left
    assertEquals(1, tidy(A_MINUTE, 2 * MINUTE));
    reopen();
    assertEquals(List.of(2L), kept());
    assertEquals(0, count("tasks WHERE job = 1"));
  }

  @Test
  void a_row_that_is_not_what_was_written_is_not_removed_and_commits_go_on() throws Exception {
    over(1, 1000);
    try (Connection connection = SqliteDatabase.connect(folder.resolve(StoreOpener.FILE));
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE tasks SET attempt = 9 WHERE job = 1 AND idx = 1");
    }
    ExecutionException no =
        assertThrows(ExecutionException.class, () -> tidy(A_MINUTE, 2 * MINUTE));
    assertTrue(no.getMessage().contains("task 1.1"), no.getMessage());
    write(store.journal(), new StoreChange.NodeDrained("n1", ""));
    assertEquals(List.of(1L), kept());
    assertEquals(2, count("events"), "of this transaction nothing has happened");
  }

  @Test
  void the_file_and_its_log_give_their_room_back() throws Exception {
    Path file = folder.resolve(StoreOpener.FILE);
    Path log = folder.resolve(StoreOpener.FILE + "-wal");
    for (int i = 1; i <= 200; i++) {
      over(spec(i, 1, Map.of("A", (i + "x").repeat(20_000))), 1000);
    }
    tidy(A_MINUTE, 1000); // nothing is old, but all of the log goes to the file
    long full = Files.size(file);
    assertEquals(0, Files.size(log));
    assertEquals(200, tidy(A_MINUTE, 2 * MINUTE));
    assertTrue(full > 10 << 20, "full: " + full);
    long least = SpaceReclaimer.PAGES_KEPT * 4096L;
    assertTrue(Files.size(file) < least + (1 << 20), "left: " + Files.size(file));
    assertEquals(0, Files.size(log));
    reopen();
  }
}
