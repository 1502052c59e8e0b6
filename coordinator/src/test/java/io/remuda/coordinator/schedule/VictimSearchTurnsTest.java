package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.TaskClass;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VictimSearchTurnsTest {
  private static final int MOST = 6;

  private final VictimSearchTurns turns = new VictimSearchTurns(MOST);

  /** Classes that differ by their priorities. */
  private static List<TaskClass.SchedulingKey> classes(int... priorities) {
    return IntStream.of(priorities).mapToObj(one -> tasks(1, 1).priority(one).key()).toList();
  }

  @Test
  void as_many_classes_as_a_round_has_searches_keep_their_order() {
    turns.searched(classes(2).get(0));
    assertEquals(classes(9, 8, 7, 6, 2, 1), turns.inTurn(classes(9, 8, 7, 6, 2, 1)));
  }

  @Test
  void the_first_four_are_always_first_and_the_others_go_on_where_they_stopped() {
    List<TaskClass.SchedulingKey> waiting = classes(9, 8, 7, 6, 5, 4, 3, 2);
    assertEquals(waiting, turns.inTurn(waiting));
    turns.searched(classes(4).get(0));
    assertEquals(classes(9, 8, 7, 6, 3, 2, 5, 4), turns.inTurn(waiting));
    turns.searched(classes(2).get(0));
    assertEquals(waiting, turns.inTurn(waiting));
  }

  @Test
  void the_others_begin_anew_when_the_last_one_no_longer_waits() {
    turns.searched(classes(42).get(0));
    List<TaskClass.SchedulingKey> waiting = classes(9, 8, 7, 6, 5, 4, 3);
    assertEquals(waiting, turns.inTurn(waiting));
  }
}
