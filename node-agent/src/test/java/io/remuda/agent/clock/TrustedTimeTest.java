package io.remuda.agent.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.clock.TrustedTime.ClockReading;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("attack")
@Tag("attack-bad-clock")
@Timeout(120)
class TrustedTimeTest {

  private static final long NOON = 1_800_000_000_000L;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;

  private TrustedTime time = new TrustedTime(ClockReading.NOTHING);
  private long wall = NOON;
  private long ran;

  private ClockReading look() {
    return time.look(wall, Duration.ofMillis(ran).toNanos());
  }

  private ClockReading after(long millis) {
    wall += millis;
    ran += millis;
    return look();
  }

  /** A new process, this much later by the wall clock. */
  private ClockReading again(ClockReading known, long later) {
    time = new TrustedTime(known);
    wall += later;
    ran = 77;
    return look();
  }

  @Test
  void a_clock_that_goes_evenly_is_believed() {
    assertEquals(NOON, look().seen());
    assertEquals(NOON + HOUR, after(HOUR).seen());
    assertEquals(NOON + 21 * HOUR, again(look(), 20 * HOUR).seen(), "a night without it");
  }

  @Test
  void a_start_forty_days_later_removes_nothing_before_a_day_has_passed() {
    ClockReading before = look();
    ClockReading doubted = again(before, 40 * DAY);
    assertTrue(doubted.inDoubt());
    assertEquals(NOON, doubted.seen());
    for (int hour = 1; hour < 24; hour++) {
      assertEquals(NOON + hour * HOUR, after(HOUR).seen(), "by the monotonic clock");
    }
    assertEquals(wall + HOUR, after(HOUR).seen());
    assertFalse(look().inDoubt());
  }

  @Test
  void the_day_may_be_that_of_several_processes() {
    ClockReading known = again(look(), 40 * DAY);
    for (int day = 0; day < 3; day++) {
      for (int hour = 0; hour < 7; hour++) {
        known = after(HOUR);
      }
      assertTrue(known.inDoubt());
      known = again(known, 17 * HOUR);
    }
    after(HOUR);
    after(HOUR);
    assertFalse(after(HOUR).inDoubt());
  }

  @Test
  void a_clock_that_leaps_while_it_runs_is_doubted_and_believed_when_it_is_set_right() {
    look();
    wall += 40 * DAY;
    assertTrue(after(HOUR).inDoubt());
    assertEquals(NOON + HOUR, look().seen());
    wall -= 40 * DAY;
    ClockReading right = after(HOUR);
    assertFalse(right.inDoubt());
    assertEquals(NOON + 2 * HOUR, right.seen());
  }

  @Test
  void a_wrong_start_between_two_right_ones_changes_nothing() {
    ClockReading wrong = again(look(), 40 * DAY);
    ClockReading right = again(wrong, -40 * DAY + HOUR);
    assertFalse(right.inDoubt());
    assertEquals(NOON + HOUR, right.seen());
  }

  @Test
  void a_clock_that_leaps_twice_begins_its_day_anew() {
    again(look(), 40 * DAY);
    for (int hour = 0; hour < 23; hour++) {
      after(HOUR);
    }
    wall += 40 * DAY;
    assertTrue(after(HOUR).inDoubt());
    assertTrue(after(HOUR).inDoubt());
  }

  @Test
  void a_clock_that_is_set_back_is_believed_at_once() {
    look();
    wall -= 40 * DAY;
    assertEquals(NOON - 40 * DAY + HOUR, after(HOUR).seen());
    assertEquals(NOON - 50 * DAY + HOUR, again(look(), -10 * DAY).seen());
  }
}
