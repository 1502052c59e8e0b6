package io.remuda.coordinator.rest.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BodyPaceTest {
  private final BodyPace pace = new BodyPace(Duration.ofSeconds(30), 1000);

  private static long seconds(int number) {
    return Duration.ofSeconds(number).toNanos();
  }

  @Test
  void after_the_first_seconds_a_rate_is_wanted() {
    assertFalse(pace.isTooSlow(seconds(5)));
    assertTrue(pace.isTooSlow(seconds(6)));
    pace.came(4000, seconds(3));
    assertFalse(pace.isTooSlow(seconds(6)));
    assertTrue(pace.isTooSlow(seconds(7)));
  }

  @Test
  void the_whole_has_a_deadline() {
    pace.came(10_000_000, seconds(29));
    assertFalse(pace.isTooSlow(seconds(1)));
    assertTrue(pace.isTooSlow(seconds(2)));
  }
}
