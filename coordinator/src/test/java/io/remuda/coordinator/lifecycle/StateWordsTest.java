package io.remuda.coordinator.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateWordsTest {

  @ParameterizedTest
  @CsvSource({
    "waiting, WAITING",
    "Running, RUNNING",
    "R, RUNNING",
    "completed, SUCCEEDED",
    "CD, SUCCEEDED",
    "f, FAILED",
    "ca, CANCELLED",
    "canceled, CANCELLED"
  })
  void a_label_or_a_word_of_slurm_is_a_state(String word, TaskState state) {
    assertEquals(Optional.of(Set.of(state)), StateWords.states(word));
  }

  @Test
  void pending_is_whatever_has_not_started() {
    Set<TaskState> before = Set.of(TaskState.SUBMITTED, TaskState.HELD, TaskState.WAITING);
    assertEquals(Optional.of(before), StateWords.states("PENDING"));
    assertEquals(Optional.of(before), StateWords.states("pd"));
    assertEquals(Optional.empty(), StateWords.states("runing"));
  }
}
