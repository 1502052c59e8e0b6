package io.remuda.coordinator.rest.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.testkit.ManualTicker;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestRateLimiterTest {
  private final ManualTicker clock = new ManualTicker();
  private final RequestRateLimiter rate = new RequestRateLimiter(10, clock);

  private long admitted(int requests, String user) {
    return IntStream.range(0, requests).filter(i -> rate.admits(user)).count();
  }

  @Test
  void a_seconds_worth_is_answered_at_once_and_no_more() {
    assertEquals(10, admitted(100, "ann"));
  }

  @Test
  void what_is_asked_at_the_rate_is_always_answered() {
    admitted(100, "ann");
    for (int i = 0; i < 100; i++) {
      clock.advance(Duration.ofMillis(100));
      assertTrue(rate.admits("ann"));
      assertFalse(rate.admits("ann"));
    }
  }

  @Test
  void a_long_pause_earns_no_more_than_a_second() {
    admitted(100, "ann");
    clock.advance(Duration.ofHours(1));
    assertEquals(10, admitted(100, "ann"));
  }

  @Test
  void one_user_takes_nothing_from_another() {
    admitted(100, "ann");
    assertEquals(10, admitted(100, "bob"));
  }

  @Test
  void a_rate_of_nothing_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> new RequestRateLimiter(0, clock));
  }
}
