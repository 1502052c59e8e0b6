package io.remuda.agent.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RepeatedWarningsTest {

  private long now = 1;
  private final RepeatedWarnings warnings = new RepeatedWarnings(() -> now);

  private void after(Duration passed) {
    now += passed.toNanos();
  }

  @Test
  void a_warning_that_comes_all_the_time_is_logged_at_growing_intervals() {
    List<Long> logged = new ArrayList<>();
    for (long second = 0; second < 3 * 3600; second++) {
      if (warnings.next("no keeper").isPresent()) {
        logged.add(second);
      }
      after(Duration.ofSeconds(1));
    }
    assertEquals(List.of(0L, 60L, 180L, 420L, 900L, 1860L, 3780L, 7380L), logged);
  }

  @Test
  void a_line_says_how_many_there_were_since_the_last() {
    warnings.next("no keeper");
    warnings.next("no keeper");
    assertEquals(Optional.empty(), warnings.next("no keeper"));
    after(Duration.ofMinutes(1));
    assertEquals(Optional.of(" (and 2 times since the last line)"), warnings.next("no keeper"));
  }

  @Test
  void another_one_is_logged_at_once_and_so_is_one_that_was_away_for_long() {
    assertEquals(Optional.of(""), warnings.next("no keeper"));
    assertEquals(Optional.of(""), warnings.next("no disk"));
    assertEquals(Optional.empty(), warnings.next("no keeper"));
    after(Duration.ofMinutes(61));
    assertEquals(Optional.of(""), warnings.next("no keeper"));
  }

  @Test
  void a_thousand_different_ones_are_not_all_remembered() {
    for (int each = 0; each < 1000; each++) {
      assertTrue(warnings.next("warning " + each).isPresent());
    }
    assertTrue(warnings.next("warning 1").isPresent(), "it is forgotten");
    assertTrue(warnings.next("warning 999").isEmpty());
  }
}
