package io.remuda.coordinator.store.copy;

import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StateInUseException;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies between a state file and a real PostgreSQL server. */
@Timeout(120)
class StateCopyTest {

  /** From where to where. */
  enum Direction {
    FILE_TO_DATABASE,
    DATABASE_TO_FILE,
    DATABASE_TO_DATABASE
  }

  private static final int PORTION = 3;
  private static final int JOBS = 8;
  private static final CopyProgressListener SILENT = (phase, table, done, all) -> {};

  /** Ends a copy where it is, as a kill does: nothing that is not committed remains. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @TempDir private Path folder;
  private SampleState source;
  private SampleState target;

  private void prepare(Direction direction) throws Exception {
    source =
        direction == Direction.FILE_TO_DATABASE
            ? SampleState.file(Files.createDirectories(folder.resolve("from")))
            : SampleState.postgres();
    target =
        direction == Direction.DATABASE_TO_FILE
            ? SampleState.file(Files.createDirectories(folder.resolve("to")))
            : SampleState.postgres();
  }

  private StateCopy.Summary copy() throws Exception {
    return copy(SILENT);
  }

  private StateCopy.Summary copy(CopyProgressListener progress) throws Exception {
    return SampleState.unlessInUse(() -> copyAtOnce(progress));
  }

  private StateCopy.Summary copyAtOnce(CopyProgressListener progress) throws Exception {
    try (DatabaseBackend from = source.take();
        DatabaseBackend to = target.take()) {
      return StateCopy.run(from, to, progress, () -> {}, PORTION);
    }
  }

  private static StoreState stateOf(SampleState place) throws Exception {
    StoreOpener.Opened opened = place.open();
    opened.journal().close();
    return opened.state();
  }

  /** Compares one by one, since all of it is too long to be read. */
  private static void assertSame(StoreState expected, StoreState found) {
    List<Object> one = contents(expected);
    for (int i = 0; i < one.size(); i++) {
      assertEquals(one.get(i), contents(found).get(i));
    }
  }

  private static List<Object> contents(StoreState state) {
    return List.of(
        state.jobs(),
        state.tasks(),
        state.users(),
        state.used(),
        state.drained(),
        Set.copyOf(state.profiles()),
        state.nextJob(),
        state.nextEvent());
  }

  @ParameterizedTest
  @EnumSource
  void all_of_a_state_is_in_the_copy(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    StoreState before = stateOf(source);
    StateCopy.Summary done = copy();
    assertEquals(JOBS, done.rows().get("jobs"));
    assertEquals(2 * JOBS, done.rows().get("tasks"));
    assertEquals(done.rows().values().stream().mapToLong(Long::longValue).sum(), done.now());
    StoreOpener.Opened opened = target.open();
    assertSame(before, opened.state());
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(spec(3, 10), reader.spec(new JobId(3)).orElseThrow());
      assertEquals(
          task(3, 0, TaskState.FAILED), reader.task(new TaskId(new JobId(3), 0)).orElseThrow());
      assertEquals(1, reader.events(new JobId(3), 0, 10).size());
    }
    write(opened.journal(), new StoreChange.JobMoved(row(spec(1, 10), TaskState.SUCCEEDED, 4000)));
    opened.journal().close();
    assertEquals(before.jobs().size() - 1, stateOf(target).jobs().size());
  }

  @ParameterizedTest
  @EnumSource
  void the_copy_goes_on_after_the_state_and_knows_its_attempts(Direction direction)
      throws Exception {
    prepare(direction);
    source.fill(JOBS);
    StoreState before = stateOf(source);
    copy();
    long raised = target.number("SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'epoch'");
    StoreState after = stateOf(target);
    assertTrue(raised > before.epoch(), raised + " is not above " + before.epoch());
    assertTrue(after.epoch() > raised);
    assertNotEquals(before.birth(), after.birth());
    assertTrue(after.lineage().includes(attempt(before.birth(), JOBS)));
    assertTrue(!after.lineage().includes(attempt(before.birth(), JOBS + 1)));
    assertTrue(after.lineage().includes(attempt(after.birth(), JOBS + 1)));
  }

  private static AttemptId attempt(long birth, long job) {
    return new AttemptId(new TaskId(new JobId(job), 0), 1, AttemptId.birth(birth) + "4e55aa00");
  }

  @ParameterizedTest
  @EnumSource
  void a_copy_that_is_killed_goes_on_and_no_server_begins_before(Direction direction)
      throws Exception {
    prepare(direction);
    source.fill(JOBS);
    StoreState before = stateOf(source);
    List<Long> copied = new ArrayList<>();
    StateCopy.Summary done = null;
    while (done == null) {
      long[] rows = new long[1];
      try {
        done = copy((phase, table, now, all) -> killAfterOnePortion(rows, phase, now, all));
      } catch (Killed killed) {
        StoreDamagedException no = assertThrows(StoreDamagedException.class, target::open);
        assertTrue(no.getMessage().contains("a copy into it is not finished"), no.getMessage());
        assertTrue(no.getMessage().contains("remuda store copy"), no.getMessage());
        copied.add(rows[0]);
      }
    }
    assertTrue(copied.size() > 10, copied + " portions");
    assertTrue(done.now() <= PORTION, done + " began anew");
    assertSame(before, stateOf(target));
  }

  private static void killAfterOnePortion(
      long[] rows, CopyProgressListener.Phase phase, long done, long all) {
    if (phase == CopyProgressListener.Phase.COPIED) {
      rows[0]++;
      throw new Killed();
    }
  }

  private StateCopy.Summary copyWithoutEnd() throws Exception {
    try (DatabaseBackend from = source.take();
        DatabaseBackend to = target.take()) {
      return StateCopy.run(
          from,
          to,
          SILENT,
          () -> {
            throw new Killed();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_copy_that_is_killed_before_its_last_transaction_is_none(Direction direction)
      throws Exception {
    prepare(direction);
    source.fill(JOBS);
    assertThrows(Killed.class, () -> SampleState.unlessInUse(this::copyWithoutEnd));
    assertThrows(StoreDamagedException.class, target::open);
    assertEquals(0, copy().now());
    target.open().journal().close();
  }

  @ParameterizedTest
  @EnumSource
  void a_state_that_was_used_since_the_copy_began_is_copied_anew(Direction direction)
      throws Exception {
    prepare(direction);
    source.fill(JOBS);
    assertThrows(Killed.class, () -> copy(killedWith("events")));
    StoreOpener.Opened used = source.open();
    write(used.journal(), new StoreChange.JobMoved(row(spec(1, 10), TaskState.SUCCEEDED, 4000)));
    used.journal().close();
    StoreState before = stateOf(source);
    StateCopy.Summary done = copy();
    assertEquals(done.rows().values().stream().mapToLong(Long::longValue).sum(), done.now());
    assertSame(before, stateOf(target));
  }

  @ParameterizedTest
  @EnumSource
  void a_damaged_row_is_named_and_nothing_is_finished(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    source.run("UPDATE tasks SET attempt = 9 WHERE job = 5 AND idx = 1");
    StoreDamagedException no = assertThrows(StoreDamagedException.class, this::copy);
    assertTrue(
        no.getMessage().contains("the row of task 5.1 is not what was written"), no.getMessage());
    assertThrows(StoreDamagedException.class, target::open);
  }

  @ParameterizedTest
  @EnumSource
  void a_missing_row_is_noticed(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    source.run("DELETE FROM jobs WHERE id = 5");
    StoreDamagedException no = assertThrows(StoreDamagedException.class, this::copy);
    assertTrue(no.getMessage().contains("rows are missing or old (sum-of-jobs)"), no::getMessage);
    assertThrows(StoreDamagedException.class, target::open);
  }

  @ParameterizedTest
  @EnumSource
  void a_row_that_is_lost_in_the_copy_is_noticed(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    assertThrows(Killed.class, () -> copy(killedWith("users")));
    target.run("DELETE FROM events WHERE sequence = 2");
    StoreDamagedException no = assertThrows(StoreDamagedException.class, this::copy);
    assertTrue(no.getMessage().contains("table events has 8 rows in"), no.getMessage());
    assertThrows(StoreDamagedException.class, target::open);
  }

  private static CopyProgressListener killedWith(String name) {
    return (phase, table, done, all) -> {
      if (table.equals(name)) {
        throw new Killed();
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void a_use_that_differs_in_the_copy_is_noticed(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    assertThrows(Killed.class, () -> copy(killedWith("drained")));
    target.run("UPDATE users SET used = used + 1 WHERE name = 'ann'");
    StoreDamagedException no = assertThrows(StoreDamagedException.class, this::copy);
    assertTrue(no.getMessage().contains("table users has 5 rows in"), no.getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void a_server_on_either_side_refuses_it(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    StoreOpener.Opened server = source.open();
    assertThrows(StateInUseException.class, () -> copyAtOnce(SILENT));
    server.journal().close();
    copy();
    StoreOpener.Opened other = target.open();
    assertThrows(StateInUseException.class, () -> copyAtOnce(SILENT));
    other.journal().close();
  }

  @ParameterizedTest
  @EnumSource
  void a_server_waits_for_the_end_of_a_copy(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    Set<Object> phases = new HashSet<>();
    copy(
        (phase, table, done, all) -> {
          if (phases.add(phase)) { // a server tries for some seconds
            assertThrows(StateInUseException.class, source::openAtOnce);
            assertThrows(StateInUseException.class, target::openAtOnce);
          }
        });
    assertTrue(phases.size() > 1, phases::toString);
    stateOf(source);
    stateOf(target);
  }

  @ParameterizedTest
  @EnumSource
  void what_is_not_the_unfinished_copy_of_this_state_is_left_alone(Direction direction)
      throws Exception {
    prepare(direction);
    source.fill(JOBS);
    StoreState other = stateOf(target);
    IOException no = assertThrows(IOException.class, this::copy);
    assertTrue(no.getMessage().contains("has another state: give an empty"), no.getMessage());
    assertEquals(other.birth(), stateOf(target).birth());
  }

  @ParameterizedTest
  @EnumSource
  void a_finished_copy_is_called_so(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    copy();
    StoreState whole = stateOf(target);
    IOException no = assertThrows(IOException.class, this::copy);
    assertTrue(no.getMessage().contains("a finished copy"), no.getMessage());
    assertSame(whole, stateOf(target));
  }

  @ParameterizedTest
  @EnumSource
  void the_unfinished_copy_of_another_state_is_left_alone(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    assertThrows(Killed.class, () -> copy(killedWith("tasks")));
    long rows = target.number("SELECT count(*) FROM jobs");
    source = SampleState.postgres();
    source.fill(JOBS);
    IOException no = assertThrows(IOException.class, this::copy);
    assertTrue(no.getMessage().contains("an unfinished copy of another state"), no.getMessage());
    assertEquals(rows, target.number("SELECT count(*) FROM jobs"));
  }

  @ParameterizedTest
  @EnumSource
  void an_unfinished_copy_is_not_copied_on(Direction direction) throws Exception {
    prepare(direction);
    source.fill(JOBS);
    assertThrows(Killed.class, () -> copy(killedWith("users")));
    source = target;
    target = SampleState.postgres();
    StoreDamagedException no = assertThrows(StoreDamagedException.class, this::copy);
    assertTrue(no.getMessage().contains("a copy into it is not finished"), no.getMessage());
  }
}
