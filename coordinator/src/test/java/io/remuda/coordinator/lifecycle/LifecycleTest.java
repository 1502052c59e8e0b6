package io.remuda.coordinator.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LifecycleTest {
  @ParameterizedTest
  @EnumSource(TaskState.class)
  void only_final_states_refuse_to_leave_but_success_is_repeated_for_a_gang(TaskState state) {
    boolean leaves =
        EnumSet.allOf(TaskTrigger.class).stream()
            .filter(trigger -> trigger != TaskTrigger.START_AGAIN)
            .anyMatch(trigger -> Lifecycle.next(state, trigger).isPresent());
    assertEquals(!state.isFinal(), leaves);
  }

  @Test
  void a_trigger_leads_to_one_state_only() {
    Set<String> seen =
        Lifecycle.ROWS.stream()
            .map(row -> row.from() + " " + row.trigger())
            .collect(Collectors.toSet());
    assertEquals(Lifecycle.ROWS.size(), seen.size());
  }

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void every_state_is_reached_from_waiting(TaskState state) {
    assertTrue(reachable(TaskState.WAITING).contains(state));
  }

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void an_end_is_reached_from_every_state(TaskState state) {
    assertTrue(reachable(state).stream().anyMatch(TaskState::isFinal));
  }

  @ParameterizedTest
  @EnumSource(TaskTrigger.class)
  void every_trigger_has_a_row(TaskTrigger trigger) {
    assertTrue(Lifecycle.ROWS.stream().anyMatch(row -> row.trigger() == trigger));
  }

  @Test
  void a_place_is_held_from_placing_to_the_end_of_the_attempt() {
    for (Lifecycle.Row row : Lifecycle.ROWS) {
      if (row.to() == TaskState.WAITING || row.to().isFinal()) {
        assertFalse(row.to().holdsPlace(), row.toString());
      }
      if (!row.from().holdsPlace() && row.to().holdsPlace()) {
        assertEquals(TaskTrigger.PLACED, row.trigger());
      }
    }
  }

  @Test
  void actions_follow_from_what_a_state_holds() {
    for (Lifecycle.Row row : Lifecycle.ROWS) {
      boolean from = row.from().holdsPlace();
      boolean to = row.to().holdsPlace();
      assertEquals(!from && to, row.does(TransitionAction.TAKE_PLACE), row.toString());
      assertEquals(from && !to, row.does(TransitionAction.FREE_PLACE), row.toString());
      assertEquals(row.to().isFinal(), row.does(TransitionAction.END), row.toString());
      assertEquals(
          from && row.to() == TaskState.WAITING, row.does(TransitionAction.REJOIN), row.toString());
      assertEquals(
          row.to() == TaskState.RUNNING && row.from() != TaskState.RUNNING,
          row.does(TransitionAction.BEGIN_SHARING),
          row.toString());
    }
  }

  @Test
  void a_task_is_heard_of_by_its_node_and_not_by_its_user() {
    assertTrue(
        Lifecycle.row(TaskState.UNKNOWN, TaskTrigger.SEEN_RUNNING)
            .orElseThrow()
            .does(TransitionAction.HEAR_NODE));
    assertFalse(
        Lifecycle.row(TaskState.UNKNOWN, TaskTrigger.CANCEL)
            .orElseThrow()
            .does(TransitionAction.HEAR_NODE));
  }

  @Test
  void what_does_not_concern_a_state_changes_nothing() {
    assertEquals(Optional.empty(), Lifecycle.next(TaskState.RUNNING, TaskTrigger.SEEN_RUNNING));
    assertEquals(Optional.empty(), Lifecycle.next(TaskState.WAITING, TaskTrigger.NODE_SILENT));
    assertEquals(
        Optional.of(TaskState.STARTING), Lifecycle.next(TaskState.WAITING, TaskTrigger.PLACED));
  }

  private static Set<TaskState> reachable(TaskState from) {
    Set<TaskState> found = EnumSet.of(from);
    int before;
    do {
      before = found.size();
      Lifecycle.ROWS.stream()
          .filter(row -> found.contains(row.from()))
          .map(Lifecycle.Row::to)
          .toList()
          .forEach(found::add);
    } while (found.size() > before);
    return found;
  }
}
