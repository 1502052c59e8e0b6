package io.remuda.coordinator.cli.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobFinderTest {

  @ParameterizedTest
  @ValueSource(strings = {"all", "last", "5", "5-8", "2024", "5,6"})
  void a_name_that_commands_take_for_something_else_is_told(String name) {
    assertEquals(true, JobFinder.takenFor(name).isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"train", "all-of-it", "0", "5x", "5,x"})
  void other_names_are_names(String name) {
    assertEquals(Optional.empty(), JobFinder.takenFor(name));
  }

  @Test
  void a_job_without_a_name_has_none() {
    assertEquals(Optional.empty(), JobFinder.takenFor(null));
  }
}
