package io.remuda.coordinator.rest.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PassPauseTest {
  private final PassPause pause = new PassPause();

  private long millis(boolean told, long searchedMillis) {
    return pause.after(told, Duration.ofMillis(searchedMillis)).toMillis();
  }

  @Test
  void it_grows_while_there_is_nothing() {
    assertEquals(10, millis(false, 1));
    assertEquals(20, millis(false, 1));
    for (int i = 0; i < 10; i++) {
      millis(false, 1);
    }
    assertEquals(250, millis(false, 1));
    assertEquals(0, millis(true, 1));
    assertEquals(10, millis(false, 1));
  }

  @Test
  void a_long_search_is_followed_by_a_pause_of_its_length_within_reason() {
    assertEquals(700, millis(true, 700));
    assertEquals(5000, millis(false, 90_000));
  }
}
