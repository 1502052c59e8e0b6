package io.remuda.agent.keeper.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskProcessFinderTest {
  private static final int KEEPER = 10;
  private static final TaskMark A = new TaskMark("a", 100, 5);
  private static final TaskMark B = new TaskMark("b", 200, 6);

  private final Map<Integer, String> marks = new HashMap<>();
  private final List<Integer> asked = new ArrayList<>();

  @Test
  void members_are_known_by_session_and_by_descent() {
    TaskProcessFinder.Found found =
        sort(
            process(100, KEEPER, 100, 5),
            process(101, 100, 100, 7),
            process(102, 101, 102, 8),
            process(103, 102, 102, 8),
            process(104, KEEPER, 100, 9));

    assertEquals(List.of(100, 101, 102, 103, 104), pids(found.of("a")));
    assertEquals(List.of(), asked, "nobody's environment had to be read");
  }

  @Test
  void an_orphan_with_a_session_of_its_own_is_known_by_its_mark_and_so_are_its_children() {
    marks.put(300, "b");

    TaskProcessFinder.Found found = sort(process(300, KEEPER, 300, 9), process(301, 300, 301, 9));

    assertEquals(List.of(300, 301), pids(found.of("b")));
  }

  @Test
  void an_orphan_of_a_task_that_is_not_wanted_is_neither_taken_nor_unclaimed() {
    marks.put(300, "other");

    TaskProcessFinder.Found found = sort(process(300, KEEPER, 300, 9));

    assertEquals(Map.of(), found.byKey());
    assertEquals(List.of(), found.unclaimed());
  }

  @Test
  void an_orphan_without_a_mark_is_unclaimed() {
    assertEquals(List.of(300), pids(sort(process(300, KEEPER, 300, 9)).unclaimed()));
  }

  @Test
  void a_pid_in_other_hands_is_not_the_task_and_neither_is_its_session() {
    TaskProcessFinder.Found found = sort(process(100, KEEPER, 100, 77), process(101, 100, 100, 78));

    assertEquals(List.of(), found.of("a"));
  }

  @Test
  void the_dead_are_not_counted_but_their_children_are() {
    ProcStat zombie = new ProcStat(100, 'Z', KEEPER, 100, 5);

    TaskProcessFinder.Found found = sort(zombie, process(105, 100, 105, 9));

    assertEquals(List.of(105), pids(found.of("a")));
  }

  @Test
  void what_carries_the_sign_of_an_ended_task_is_late() {
    marks.put(300, DetachedProcessTaskLookup.ENDED);

    TaskProcessFinder.Found found =
        sort(process(300, KEEPER, 300, 9), process(301, KEEPER, 301, 9));

    assertEquals(List.of(300), pids(found.late()));
    assertEquals(List.of(301), pids(found.unclaimed()));
  }

  private TaskProcessFinder.Found sort(ProcStat... parentsFirst) {
    TaskProcessFinder tree =
        new TaskProcessFinder(
            KEEPER,
            pid -> {
              asked.add(pid);
              return marks.get(pid);
            },
            () -> 0);
    return tree.sort(List.of(A, B), List.of(parentsFirst));
  }

  private static ProcStat process(int pid, int parent, int session, long ticks) {
    return new ProcStat(pid, 'S', parent, session, ticks);
  }

  private static List<Integer> pids(List<ProcStat> processes) {
    return processes.stream().map(ProcStat::pid).toList();
  }
}
