package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.PairSpeeds;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.store.row.AuditEvent;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.coordinator.store.row.ProfileRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreDamaged;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  /** So many take a second or two; {@code StoreFaultIT} tries a thousand, and all cuts. */
  private static final int FLIPS = 150;

  @TempDir private Path folder;

  private StoreState reopened() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
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
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(Store.FILE))));
  }

  @Test
  void what_was_written_is_there_after_a_restart() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobSpec live = spec(1, 1000);
    JobSpec over = spec(2, 1);
    write(
        opened.journal(),
        new LogEntry.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new LogEntry.JobAdded(over, row(over, TaskState.WAITING, 0)),
        new LogEntry.TaskMoved(task(1, 5, TaskState.RUNNING)),
        new LogEntry.UserSet(new UserRow("ann", 3, "00ff")),
        new LogEntry.UseNoted("ann", 12.5),
        new LogEntry.NodeDrained("n1", true),
        new LogEntry.NodeDrained("n2", true));
    write(
        opened.journal(),
        new LogEntry.JobMoved(row(over, TaskState.FAILED, 3000)),
        new LogEntry.TaskMoved(task(2, 0, TaskState.FAILED)),
        new LogEntry.NodeDrained("n2", false));
    opened.journal().close();
    StoreState state = reopened();
    assertTrue(state.epoch() > opened.state().epoch());
    assertEquals(3, state.nextJob());
    assertEquals(
        List.of(new StoreState.LiveJob(live, row(live, TaskState.RUNNING, 0))), state.jobs());
    assertEquals(Map.of(live.id(), List.of(task(1, 5, TaskState.RUNNING))), state.tasks());
    assertEquals(List.of(new UserRow("ann", 3, "00ff")), state.users());
    assertEquals(Map.of("ann", 12.5), state.used());
    assertEquals(Set.of("n1"), state.drained());
  }

  @Test
  void a_file_of_the_first_schema_is_brought_up_and_its_tasks_have_no_slot() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobSpec live = spec(1, 10);
    write(
        opened.journal(),
        new LogEntry.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new LogEntry.TaskMoved(task(1, 5, TaskState.FAILED)));
    opened.journal().close();
    try (Connection connection = Store.connect(folder.resolve(Store.FILE));
        Statement statement = connection.createStatement()) {
      StoreSamples.makeThird(statement);
      statement.execute("ALTER TABLE tasks DROP COLUMN seat");
      statement.execute("DROP INDEX specs_by_environment");
      statement.execute("ALTER TABLE specs DROP COLUMN environment");
      statement.execute("PRAGMA user_version = 1");
    }
    Files.delete(folder.resolve(StateMark.FILE));
    assertEquals(TaskState.FAILED, reopened().ended().get(live.id()).state(5));
  }

  @Test
  void a_task_that_had_succeeded_can_be_written_again_with_its_gang() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobSpec live = spec(1, 10);
    TaskId task = new TaskId(live.id(), 5);
    write(
        opened.journal(),
        new LogEntry.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new LogEntry.TaskMoved(task(1, 5, TaskState.RUNNING)));
    write(opened.journal(), new LogEntry.TaskMoved(task(1, 5, TaskState.SUCCEEDED)));
    write(
        opened.journal(),
        new LogEntry.TaskReturned(task),
        new LogEntry.TaskMoved(task(1, 5, TaskState.WAITING)));
    write(opened.journal(), new LogEntry.TaskMoved(task(1, 5, TaskState.RUNNING)));
    opened.journal().close();
    assertEquals(List.of(task(1, 5, TaskState.RUNNING)), reopened().tasks().get(live.id()));
  }

  @Test
  void the_start_of_a_gang_is_there_again() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobSpec live = spec(1, 1);
    GangStart.Member member =
        new GangStart.Member("n1", "10.0.0.1", 20_001, List.of(new DeviceId("GPU-1")));
    GangStart start = new GangStart(3, 1, 20_007, List.of(member));
    write(
        opened.journal(),
        new LogEntry.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new LogEntry.JobMoved(row(live, TaskState.RUNNING, 0).started(start)));
    opened.journal().close();
    assertEquals(start, reopened().jobs().get(0).row().gang());
  }

  @Test
  void how_often_a_task_has_left_its_place_is_there_again() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobSpec live = spec(1, 10);
    write(
        opened.journal(),
        new LogEntry.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new LogEntry.TaskMoved(StoreSamples.preempted(1, 5)));
    opened.journal().close();
    TaskRow again = reopened().tasks().get(live.id()).get(0);
    assertEquals(3, again.preemptions());
    assertEquals(90_000, again.lostMillis());
    assertEquals(StoreSamples.preempted(1, 5).training(), again.training());
    assertEquals(2, again.gpus());
  }

  @Test
  void what_was_learned_of_types_is_there_again_and_what_was_forgotten_is_not() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    Profile train = Profile.unknown(new JobType("ann", "train")).ran(5L << 30, 80, 1000);
    Profile test = Profile.unknown(new JobType("ann", "test")).failed(1L << 30);
    write(opened.journal(), new LogEntry.ProfileSet(train, 1), new LogEntry.ProfileSet(test, 2));
    write(
        opened.journal(),
        new LogEntry.ProfileSet(train.ran(6L << 30, null, 2000), 3),
        new LogEntry.ProfileForgotten(test.type()));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(
          List.of(new ProfileRow(train.ran(6L << 30, null, 2000), 3)), reader.profiles("ann"));
      assertEquals(List.of(), reader.profiles("bob"));
    }
    opened.journal().close();
    assertEquals(List.of(train.ran(6L << 30, null, 2000)), reopened().profiles());
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
  void how_fast_types_are_together_is_there_again() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobType eval = new JobType("bob", "eval");
    Profile train =
        Profile.unknown(new JobType("ann", "train"))
            .ran(5L << 30, 80, 9000)
            .took(PairSpeeds.Run.alone("H200", 9000))
            .took(new PairSpeeds.Run("H200", 15_000, 0, eval, 1, 1));
    assertEquals(List.of(new PairSpeeds.Beside(eval, 60)), train.speeds().beside());
    write(opened.journal(), new LogEntry.ProfileSet(train, 1));
    opened.journal().close();
    assertEquals(List.of(train), reopened().profiles());
  }

  @Test
  void readers_see_what_is_over_too() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobSpec over = spec(2, 1);
    write(
        opened.journal(),
        new LogEntry.JobAdded(over, row(over, TaskState.FAILED, 3000)),
        new LogEntry.TaskMoved(task(2, 0, TaskState.FAILED)),
        new LogEntry.Happened(new AuditEvent(1, 5, 2, 0, "task-failed", "{}")));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(row(over, TaskState.FAILED, 3000), reader.job(over.id()).orElseThrow());
      assertEquals(over, reader.spec(over.id()).orElseThrow());
      assertEquals(
          task(2, 0, TaskState.FAILED), reader.task(new TaskId(over.id(), 0)).orElseThrow());
      assertEquals(over.id(), reader.byKey("ann", "key2").orElseThrow().id());
      assertEquals(
          List.of(),
          reader.jobs(new StoreReader.Page(StoreReader.JobFilter.LIVE, null, 0, 10)).rows());
      assertEquals(1, reader.events(over.id(), 0, 10).size());
      assertTrue(reader.job(new JobId(99)).isEmpty());
    }
    opened.journal().close();
  }

  @Test
  void a_server_whose_file_another_one_has_taken_over_writes_no_more() throws Exception {
    Store.Opened first = Store.open(folder, CLOCK);
    assertThrows(StateInUse.class, () -> Store.open(folder, CLOCK));
    Files.delete(folder.resolve(StateMark.FILE)); // which is its lock
    Store.Opened second = Store.open(folder, CLOCK);
    CountDownLatch lost = new CountDownLatch(1);
    first.journal().onLost(lost::countDown);
    first.journal().append(List.of(new LogEntry.NodeDrained("n1", true)), () -> {});
    assertTrue(lost.await(20, TimeUnit.SECONDS));
    first.journal().close();
    second.journal().close();
    assertEquals(Set.of(), reopened().drained());
  }

  @Test
  void a_file_of_a_newer_build_is_refused() throws Exception {
    reopened();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(Store.FILE));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = 99");
    }
    StoreDamaged no = assertThrows(StoreDamaged.class, () -> Store.open(folder, CLOCK));
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
}
