package io.remuda.coordinator.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobNumbersTest {

  private static List<String> all(String text) {
    List<String> found = new ArrayList<>();
    JobNumbers.of(text)
        .forEach((job, task) -> found.add(task == null ? "" + job : job + "." + task));
    return found;
  }

  @Test
  void jobs_and_tasks_are_read_in_order() {
    assertEquals(List.of("5", "7", "8", "20.0", "20.1", "9.3"), all("5,7-8, 20.0-1,9.3"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "0", "a", "5,", "7-6", "5.3-2", "5.1-6.2", "-1", "5.0-10000000", "1..2"})
  void what_names_no_jobs_is_refused(String text) {
    assertThrows(IllegalArgumentException.class, () -> JobNumbers.of(text));
  }

  @Test
  void as_many_as_a_step_may_change_and_no_more() {
    assertEquals(JobNumbers.MOST, all("1-" + JobNumbers.MOST).size());
    for (String more : List.of("1-10001", "1-6000,7.0-5000", "1-999999999999999999")) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> JobNumbers.of(more)).getMessage();
      assertTrue(said.contains("more than 10000"), said);
    }
  }
}
