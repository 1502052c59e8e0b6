package io.remuda.coordinator.cli.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.cli.logs.LogsCommand.LogTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTargetTest {

  @Test
  void a_job_a_task_and_an_attempt_are_told_apart() {
    assertEquals(new LogTarget("24", null, 0), LogTarget.parse("24", null));
    assertEquals(new LogTarget("24", 1, 0), LogTarget.parse("24.1", null));
    assertEquals(new LogTarget("24", 1, 2), LogTarget.parse("24.1.2", null));
    assertEquals(new LogTarget("24", 7, 0), LogTarget.parse("24", 7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "0", "1.", "1.2.3.4", "-1", "1.x"})
  void what_is_none_of_them_is_shown(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> LogTarget.parse(text, null))
            .getMessage();
    assertEquals("give JOB, JOB.TASK or JOB.TASK.ATTEMPT, got '" + text + "'", message);
  }

  @Test
  void two_tasks_are_one_too_many() {
    assertThrows(IllegalArgumentException.class, () -> LogTarget.parse("1.2", 3));
    assertThrows(IllegalArgumentException.class, () -> LogTarget.parse("1", -3));
  }

  @Test
  void a_task_that_the_job_lacks_is_answered_with_those_it_has() {
    assertEquals("job 24 has one task, 24.0", LogTarget.parse("24.1", null).missingIn(1));
    assertEquals("job 2 has 5 tasks, 2.0 to 2.4", LogTarget.parse("2.5", null).missingIn(5));
    assertNull(LogTarget.parse("2.4", null).missingIn(5));
    assertNull(LogTarget.parse("2", null).missingIn(5));
  }
}
