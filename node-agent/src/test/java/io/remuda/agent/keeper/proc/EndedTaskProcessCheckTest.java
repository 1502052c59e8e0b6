package io.remuda.agent.keeper.proc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EndedTaskProcessCheckTest {

  private static final int KEEPER = 10;
  private static final int LEADER = 100;

  private final Map<Integer, ProcStat> processes = new HashMap<>();
  private final Deque<Integer> lastPids = new ArrayDeque<>();
  private final EndedTaskProcessCheck recent =
      new EndedTaskProcessCheck(
          KEEPER,
          32_768,
          () -> lastPids.size() > 1 ? lastPids.poll() : lastPids.peek(),
          processes::get);

  private void process(int pid, int parent, char state) {
    processes.put(pid, new ProcStat(pid, state, parent, pid, 7));
  }

  private boolean nothingLeft(Integer... otherLeaders) {
    return recent.nothingSince(LEADER, Set.of(otherLeaders)::contains);
  }

  @Test
  void nothing_is_left_of_a_task_that_has_started_nothing() {
    lastPids.add(LEADER);

    assertTrue(nothingLeft());
  }

  @Test
  void what_has_moved_to_the_keeper_is_left() {
    lastPids.add(LEADER + 2);
    process(LEADER + 1, KEEPER, 'S');

    assertFalse(nothingLeft());
  }

  @Test
  void leaders_of_other_tasks_strangers_and_zombies_are_not() {
    lastPids.add(LEADER + 3);
    process(LEADER + 1, KEEPER, 'S');
    process(LEADER + 2, 1, 'S');
    process(LEADER + 3, KEEPER, 'Z');

    assertTrue(nothingLeft(LEADER + 1));
  }

  @Test
  void a_child_that_was_started_while_its_parent_was_looked_at_is_found() {
    lastPids.addAll(List.of(LEADER + 1, LEADER + 2));
    process(LEADER + 2, KEEPER, 'S');

    assertFalse(nothingLeft());
  }

  @Test
  void it_does_not_know_when_many_pids_were_given_out_or_their_counter_went_round() {
    lastPids.add(LEADER + 65);
    assertFalse(nothingLeft());
    lastPids.clear();
    lastPids.add(LEADER - 1);
    assertFalse(nothingLeft());
    lastPids.clear();
    lastPids.add(-1);
    assertFalse(nothingLeft());
  }

  @Test
  void it_serves_only_tasks_so_young_that_no_pid_can_have_been_given_out_twice() {
    assertTrue(recent.serves(100));
    assertFalse(recent.serves(1000));
    assertFalse(recent.serves(-1));
  }

  @Test
  void the_last_pid_is_that_of_the_newest_process_each_time_that_it_is_asked() throws Exception {
    LastPidReader newest = new LastPidReader();
    for (int time = 0; time < 3; time++) {
      Process child = new ProcessBuilder("sleep", "60").start();
      try {
        int last = newest.getAsInt();

        assertTrue(last >= child.pid() || last < child.pid() - 1000, last + " " + child.pid());
        assertEquals(last > 0, ProcFiles.pidMax() > 0);
      } finally {
        child.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void the_last_pid_is_not_known_where_there_is_no_such_file(@TempDir Path folder) {
    assertEquals(-1, new LastPidReader(folder.resolve("loadavg").toString()).getAsInt());
  }
}
