package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.service.OwnAgent.RestartPause;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RestartPauseTest {
  private final RestartPause pause = new RestartPause();
  private long now = 1000;

  private long diesAfter(long millis) {
    pause.started(now);
    now += millis;
    return pause.ended(now);
  }

  @Test
  void what_does_not_stay_up_is_started_ever_more_seldom() {
    List<Long> pauses = LongStream.range(0, 9).map(i -> diesAfter(300)).boxed().toList();
    assertEquals(
        List.of(500L, 1000L, 2000L, 4000L, 8000L, 16_000L, 32_000L, 60_000L, 60_000L), pauses);
  }

  @Test
  void what_has_stayed_up_is_started_at_once() {
    diesAfter(300);
    diesAfter(300);
    assertEquals(RestartPause.FIRST_MILLIS, diesAfter(RestartPause.STEADY_MILLIS));
    assertEquals(1000, diesAfter(RestartPause.STEADY_MILLIS - 1));
  }

  @Test
  void a_pause_is_over_when_its_time_has_passed() {
    assertTrue(pause.isOver(now), "the first start has none");
    diesAfter(300);
    assertFalse(pause.isOver(now + 499));
    assertTrue(pause.isOver(now + 500));
  }
}
