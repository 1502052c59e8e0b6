package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.query.JobQuery.JobFilter;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store in a file. */
class SqliteStoreTest extends StoreContract {
  /** So many take a second or two; {@code StoreFaultIT} tries a thousand, and all cuts. */
  private static final int FLIPS = 150;

  @TempDir private Path folder;

  @Override
  StoreOpener.Opened open() throws Exception {
    return StoreOpener.open(folder, CLOCK);
  }

  private StoreState reopened() throws Exception {
    StoreOpener.Opened opened = open();
    opened.journal().close();
    return opened.state();
  }

  @Test
  void a_new_store_is_empty_and_for_its_owner_alone() throws Exception {
    StoreState state = reopened();
    assertEquals(CLOCK.millis(), state.epoch(), "above those of a file that was lost");
    assertEquals(1, state.nextJob());
    assertEquals(List.of(), state.jobs());
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(folder.resolve(StoreOpener.FILE))));
  }

  @Test
  void a_file_of_the_first_schema_is_brought_up_and_its_tasks_have_no_slot() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(folder, CLOCK);
    JobSpec live = spec(1, 10);
    write(
        opened.journal(),
        new StoreChange.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new StoreChange.TaskMoved(task(1, 5, TaskState.FAILED)),
        new StoreChange.NodeDrained("n1", ""));
    opened.journal().close();
    try (Connection connection = SqliteDatabase.connect(folder.resolve(StoreOpener.FILE));
        Statement statement = connection.createStatement()) {
      StoreSamples.makeSecond(statement);
      statement.execute("ALTER TABLE tasks DROP COLUMN seat");
      statement.execute("PRAGMA user_version = 1");
    }
    Files.delete(folder.resolve(StateCommitCountFile.FILE));
    StoreState state = reopened();
    assertEquals(TaskState.FAILED, state.ended().get(live.id()).state(5));
    assertEquals(Map.of("n1", NodeDrain.whole("")), state.drained());
    what_attempts_used_is_added_up_by_day_user_type_and_node();
  }

  @Test
  void a_profile_of_a_build_that_measured_no_speeds_is_read() throws Exception {
    Profile train =
        RowMapping.JSON.readValue(
            """
            {"type": {"user": "ann", "name": "train"}, "peaks": [5368709120], "runs": 1,
             "most": 5368709120, "floor": 0, "utilPercent": 80, "wallMillis": 1000}\
            """,
            Profile.class);
    assertEquals(Profile.unknown(new JobType("ann", "train")).ran(5L << 30, 80, 1000), train);
  }

  @Test
  void a_server_whose_file_another_one_has_taken_over_writes_no_more() throws Exception {
    StoreOpener.Opened first = StoreOpener.open(folder, CLOCK);
    assertThrows(StateInUseException.class, () -> StoreOpener.open(folder, CLOCK));
    Files.delete(folder.resolve(StateCommitCountFile.FILE)); // which is its lock
    StoreOpener.Opened second = StoreOpener.open(folder, CLOCK);
    CountDownLatch lost = new CountDownLatch(1);
    first.journal().onLost(lost::countDown);
    first.journal().append(List.of(new StoreChange.NodeDrained("n1", "")), () -> {});
    assertTrue(lost.await(60, TimeUnit.SECONDS));
    first.journal().close();
    second.journal().close();
    assertEquals(Map.of(), reopened().drained());
  }

  @Test
  void a_file_of_a_newer_build_is_refused() throws Exception {
    reopened();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(StoreOpener.FILE));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = 99");
    }
    StoreDamagedException no =
        assertThrows(StoreDamagedException.class, () -> StoreOpener.open(folder, CLOCK));
    assertTrue(no.getMessage().contains("version 99"), no.getMessage());
  }

  @Test
  void a_file_that_was_cut_or_has_a_flipped_byte_is_noticed_or_as_it_was() throws Exception {
    StoreFiles good = StoreFiles.write(folder);
    DamagedStores stores = new DamagedStores(good, folder.resolve("damaged"));
    for (int cut = 1; cut <= StoreFiles.FRAME; cut += 97) {
      stores.tryOut(good.withLogCutBy(cut), "log cut by " + cut);
    }
    Random random = new Random(42);
    for (int flip = 0; flip < FLIPS; flip++) {
      int at = random.nextInt(good.size());
      stores.tryOut(good.withFlipped(at, 1 << random.nextInt(8)), "flipped byte " + at);
    }
    assertTrue(stores.detected() > 0, "not one was noticed: " + stores);
  }

  private static final int HUGE = 15_000_000;

  /** A row with such a key, as a build before this one wrote it. */
  private static JobRow withKey(JobRow row, String key) {
    return new JobRow(
        row.id(),
        row.uuid(),
        row.user(),
        row.name(),
        row.state(),
        row.first(),
        row.tasks(),
        row.submitted(),
        row.started(),
        row.ended(),
        row.reason(),
        row.exitCode(),
        row.open(),
        key,
        null,
        GangStart.NONE);
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  @Timeout(60)
  void rows_with_keys_of_megabytes_are_listed_without_them() throws Exception {
    StoreOpener.Opened opened = open();
    for (long id = 1; id <= 4; id++) {
      JobSpec spec = spec(id, 1);
      write(
          opened.journal(),
          new StoreChange.JobAdded(
              spec, withKey(row(spec, TaskState.WAITING, 0), id + "k".repeat(HUGE))));
    }
    try (StoreReader reader = opened.store().reader()) {
      JobQuery.Part part = JobQuery.newest(JobFilter.ALL, null, 10).ask(reader);
      assertEquals(List.of(4L, 3L, 2L, 1L), ids(part.rows()));
      assertNull(part.next());
      assertTrue(part.rows().stream().allMatch(row -> row.clientKey() == null));
      assertTrue(reader.liveJobs(10).stream().allMatch(row -> row.clientKey() == null));
    }
    opened.journal().close();
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  @Timeout(60)
  void a_key_that_is_too_long_is_forgotten_at_the_next_start_and_its_job_goes_on()
      throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec spec = spec(1, 1);
    String key = "k".repeat(JobRow.MOST_KEY + 1);
    write(
        opened.journal(),
        new StoreChange.JobAdded(spec, withKey(row(spec, TaskState.WAITING, 0), key)));
    opened.journal().close();

    StoreOpener.Opened again = open();
    JobRow row = again.state().jobs().get(0).row();
    assertNull(row.clientKey());
    write(
        again.journal(),
        new StoreChange.JobMoved(
            row.moved(TaskState.CANCELLED, TaskState.CANCELLED, List.of(), 3000)));
    again.journal().close();

    StoreOpener.Opened last = open(); // the sums of the file are right
    assertEquals(List.of(), last.state().jobs());
    assertEquals(1, last.journal().tidy(NONE, 9000).toCompletableFuture().get());
    last.journal().close();
  }

  private static final Retention NONE = new Retention(Duration.ofMillis(1), 1);

  private static List<Long> ids(List<JobRow> jobs) {
    return jobs.stream().map(job -> job.id().value()).toList();
  }
}
