package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What hands and accidents do to the files of a state, and what makes up for it. */
@Tag("attack")
@Tag("attack-store")
@Timeout(60)
class StoreAttackTest {

  @TempDir private Path folder;
  private Path home;
  private Path file;
  private Path log;
  private Path mark;

  @BeforeEach
  void name() throws IOException {
    home = Files.createDirectory(folder.resolve("home"));
    file = home.resolve(StoreOpener.FILE);
    log = StoreOpener.log(file);
    mark = home.resolve(StateCommitCountFile.FILE);
  }

  private static StoreChange job(long id) {
    JobSpec job = spec(id, 1);
    return new StoreChange.JobAdded(job, row(job, TaskState.WAITING, 0));
  }

  private StateLook open() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    opened.journal().close();
    return new StateLook(opened.state());
  }

  private record StateLook(StoreState state) {
    List<Long> jobs() {
      return state.jobs().stream().map(job -> job.row().id().value()).toList();
    }
  }

  /** The files as a server leaves them that is killed after these jobs, each a commit. */
  private Map<Path, byte[]> killedAfter(int jobs) throws Exception {
    Path other = Files.createTempDirectory(folder, "killed");
    StoreOpener.Opened opened = StoreOpener.open(other, CLOCK);
    for (int id = 1; id <= jobs; id++) {
      write(opened.journal(), job(id));
    }
    Map<Path, byte[]> files = new TreeMap<>();
    for (String name :
        List.of(StoreOpener.FILE, StoreOpener.FILE + "-wal", StateCommitCountFile.FILE)) {
      files.put(home.resolve(name), Files.readAllBytes(other.resolve(name)));
    }
    opened.journal().close();
    put(files);
    return files;
  }

  private void put(Map<Path, byte[]> files) throws IOException {
    Files.deleteIfExists(file.resolveSibling(StoreOpener.FILE + "-shm"));
    for (Map.Entry<Path, byte[]> one : files.entrySet()) {
      Files.write(one.getKey(), one.getValue());
    }
  }

  private String refused() throws IOException {
    Map<String, byte[]> before = contents();
    StoreDamagedException no =
        assertThrows(StoreDamagedException.class, () -> StoreOpener.open(home, CLOCK));
    assertTrue(no.getMessage().contains("remuda restore"), no.getMessage());
    Map<String, byte[]> after = contents();
    assertEquals(before.keySet(), after.keySet(), "nothing comes or goes");
    before.forEach((name, bytes) -> assertArrayEquals(bytes, after.get(name), name));
    return no.getMessage();
  }

  private Map<String, byte[]> contents() throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(home)) {
      for (Path one : files.filter(path -> !path.toString().endsWith("-shm")).toList()) {
        all.put(one.getFileName().toString(), Files.readAllBytes(one));
      }
    }
    all.computeIfPresent(log.getFileName().toString(), (name, b) -> b.length == 0 ? null : b);
    return all;
  }

  @Test
  void a_log_without_its_file_is_refused_and_stays() throws Exception {
    Map<Path, byte[]> files = killedAfter(5);
    Files.delete(file);
    assertTrue(refused().contains("its log is here"));
    Files.write(file, new byte[0]);
    assertTrue(refused().contains("its log is here"));
    put(files);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), open().jobs());
  }

  @Test
  void a_file_that_is_gone_or_empty_is_missed_where_there_was_one() throws Exception {
    open();
    Files.delete(file);
    assertTrue(refused().contains("it is missing, but there was one"));
    Files.write(file, new byte[0]);
    assertTrue(refused().contains("it is empty, but there was one"));
  }

  @Test
  void a_log_that_is_gone_or_cut_anywhere_is_missed() throws Exception {
    Map<Path, byte[]> files = killedAfter(12);
    byte[] whole = files.get(log);
    Files.delete(log);
    assertTrue(refused().contains("commits that were acknowledged are missing"));
    for (int size = 0; size < whole.length; size += whole.length / 9) {
      put(files);
      Files.write(log, Arrays.copyOf(whole, size));
      refused();
    }
    put(files);
    Files.write(log, Arrays.copyOf(whole, whole.length - 1)); // of the very last commit
    assertTrue(refused().contains("1 commits that were acknowledged are missing"));
    put(files);
    assertEquals(12, open().jobs().size());
  }

  @Test
  void an_older_copy_that_was_put_back_by_hand_is_refused() throws Exception {
    Map<Path, byte[]> old = killedAfter(3);
    open();
    old.put(file, Files.readAllBytes(file));
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    write(opened.journal(), job(4));
    opened.journal().close();
    Files.write(file, old.get(file));
    assertTrue(refused().contains("it is an older copy"));
  }

  @Test
  void a_file_that_came_without_its_mark_goes_on_under_another_birth() throws Exception {
    StoreState first = open().state();
    Files.delete(mark);
    StoreState second = open().state();
    assertNotEquals(first.birth(), second.birth());
    assertTrue(second.lineage().birthsOf(spec(1, 1).id()).size() == 1, "no job is shared");
    assertEquals(second.birth(), open().state().birth(), "once");
  }

  @Test
  void a_power_cut_that_left_an_older_mark_is_no_damage() throws Exception {
    Map<Path, byte[]> early = killedAfter(2);
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    byte[] older = Files.readAllBytes(mark);
    write(opened.journal(), job(3));
    opened.journal().close();
    Files.write(mark, older);
    assertEquals(3, open().jobs().size());
    assertEquals(3, early.size());
  }

  @Test
  void a_damaged_mark_stops_nobody() throws Exception {
    killedAfter(2);
    byte[] line = Files.readAllBytes(mark);
    line[30] ^= 1;
    Files.write(mark, line);
    assertEquals(List.of(1L, 2L), open().jobs());
  }

  @Test
  void a_file_of_before_there_were_births_goes_on_with_what_it_has() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    write(opened.journal(), job(1), new StoreChange.TaskMoved(task(1, 0, TaskState.RUNNING)));
    opened.journal().close();
    try (Connection connection = SqliteDatabase.connect(file);
        Statement statement = connection.createStatement()) {
      StoreSamples.makeFifth(statement);
    }
    Files.delete(mark);
    StateFileLineage lineage = open().state().lineage();
    assertTrue(lineage.includes(AttemptId.parse("1.0.2")), "it has run under this name");
    assertFalse(lineage.includes(AttemptId.parse("2.0.1")), "such numbers were not given out");
  }

  @Test
  void a_file_that_was_moved_away_is_written_no_more_until_it_is_back() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    Path away = folder.resolve("away");
    Files.move(home, away);
    await().until(() -> opened.journal().trouble().orElse("").contains("moved or removed"));
    Files.move(away, home);
    await().until(() -> opened.journal().trouble().isEmpty());
    write(opened.journal(), job(1));
    opened.journal().close();
  }

  private Path backup() throws Exception {
    Path copy = folder.resolve("copy.db");
    StateFileOperations.backUp(home, copy, StateFileOperations.Existing.REFUSE);
    return copy;
  }

  @Test
  void a_backup_is_whole_beside_a_server_that_writes_and_after_one_that_was_killed()
      throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    write(opened.journal(), job(1));
    Path copy = backup();
    write(opened.journal(), job(2));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)));
    assertThrows(IOException.class, this::backup, "it is there already");
    StateFileOperations.backUp(home, copy, StateFileOperations.Existing.REPLACE);
    opened.journal().close();
    StateFileOperations.restore(home, copy, CLOCK.instant());
    assertEquals(List.of(1L, 2L), open().jobs());
    Map<Path, byte[]> files = killedAfter(4);
    StateFileOperations.backUp(home, copy, StateFileOperations.Existing.REPLACE);
    files.forEach((path, bytes) -> assertArrayEquals(bytes, read(path), "as it was: " + path));
    StateFileOperations.restore(home, copy, CLOCK.instant());
    assertEquals(List.of(1L, 2L, 3L, 4L), open().jobs());
  }

  private static byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException gone) {
      return new byte[0];
    }
  }

  @Test
  void what_is_damaged_makes_no_backup() throws Exception {
    Map<Path, byte[]> files = killedAfter(6);
    Files.write(log, Arrays.copyOf(files.get(log), files.get(log).length / 2));
    assertThrows(StoreDamagedException.class, this::backup);
    assertFalse(Files.exists(folder.resolve("copy.db")));
  }

  @Test
  void a_restored_copy_has_another_birth_and_all_that_was_there_is_kept_aside() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    write(opened.journal(), job(1), new StoreChange.TaskMoved(task(1, 0, TaskState.RUNNING)));
    Path copy = backup();
    write(opened.journal(), job(2));
    opened.journal().close();
    Path aside = StateFileOperations.restore(home, copy, CLOCK.instant());
    StoreState restored = open().state();
    assertNotEquals(opened.state().birth(), restored.birth());
    String before = AttemptId.birth(opened.state().birth());
    assertTrue(restored.lineage().includes(AttemptId.parse("1.0.2-" + before + "00000000")));
    assertFalse(restored.lineage().includes(AttemptId.parse("2.0.1-" + before + "00000000")));
    assertEquals(2, restored.nextJob());
    assertTrue(Files.exists(aside.resolve(StoreOpener.FILE)));
    assertTrue(Files.exists(aside.resolve(StateCommitCountFile.FILE)));
  }

  @Test
  void a_restore_takes_what_is_left_of_the_file_in_place() throws Exception {
    Map<Path, byte[]> files = killedAfter(8);
    Files.write(log, Arrays.copyOf(files.get(log), files.get(log).length / 2));
    refused();
    Path aside = StateFileOperations.restore(home, file, CLOCK.instant());
    List<Long> left = open().jobs();
    assertTrue(left.size() > 1 && left.size() < 8, left.toString());
    assertArrayEquals(files.get(file), Files.readAllBytes(aside.resolve(StoreOpener.FILE)));
  }

  @Test
  void nothing_is_restored_under_a_server_nor_from_what_is_no_state() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    Path copy = backup();
    assertThrows(
        StateInUseException.class, () -> StateFileOperations.restore(home, copy, CLOCK.instant()));
    assertThrows(
        StateInUseException.class, () -> StateFileOperations.putAside(home, CLOCK.instant()));
    opened.journal().close();
    byte[] good = Files.readAllBytes(file);
    Path text = Files.writeString(folder.resolve("text"), "no state".repeat(2000));
    assertThrows(
        StoreDamagedException.class,
        () -> StateFileOperations.restore(home, text, CLOCK.instant()));
    Path none = folder.resolve("none");
    assertThrows(IOException.class, () -> StateFileOperations.restore(home, none, CLOCK.instant()));
    assertArrayEquals(good, Files.readAllBytes(file));
  }

  @Test
  @Tag("attack-bad-clock")
  void a_clock_that_is_forty_days_ahead_removes_no_history() throws Exception {
    Retention month = new Retention(Duration.ofDays(30), 1000);
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    JobSpec over = spec(1, 1);
    write(
        opened.journal(),
        new StoreChange.JobAdded(over, row(over, TaskState.FAILED, CLOCK.millis())),
        new StoreChange.Happened(new EventLogEntry(1, CLOCK.millis(), 1, -1, "job-failed", "{}")));
    opened.journal().close();
    long ahead = CLOCK.millis() + Duration.ofDays(40).toMillis();
    for (int start = 0; start < 2; start++) {
      assertEquals(0, tidied(month, ahead + start), "by a wrong clock");
    }
    assertEquals(0, tidied(month, CLOCK.millis() + 1000), "by a right one");
    for (int day = 1; day < 31; day++) {
      assertEquals(0, tidied(month, CLOCK.millis() + Duration.ofDays(day).toMillis()));
    }
    assertEquals(1, tidied(month, CLOCK.millis() + Duration.ofDays(31).toMillis()));
  }

  private int tidied(Retention retention, long now) throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(home, CLOCK);
    int jobs =
        opened.journal().tidy(retention, now).toCompletableFuture().get(60, TimeUnit.SECONDS);
    opened.journal().close();
    return jobs;
  }

  @Test
  void what_was_put_aside_leaves_a_folder_in_which_a_server_begins_anew() throws Exception {
    Map<Path, byte[]> files = killedAfter(3);
    Path aside = StateFileOperations.putAside(home, CLOCK.instant());
    for (Path one : files.keySet()) {
      assertArrayEquals(files.get(one), Files.readAllBytes(aside.resolve(one.getFileName())));
    }
    assertEquals(List.of(), open().jobs());
  }
}
