package io.remuda.agent.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ContactDeadlineTest {
  private static final long SECOND = 1_000_000_000L;

  private static ContactDeadline sixSeconds(long now) {
    return ContactDeadline.begin(Duration.ofSeconds(6), now);
  }

  @Test
  void it_passes_after_its_length() {
    ContactDeadline contactDeadline = sixSeconds(100);
    assertFalse(contactDeadline.expired(100));
    assertFalse(contactDeadline.expired(100 + 5 * SECOND));
    assertTrue(contactDeadline.expired(100 + 6 * SECOND));
    assertTrue(contactDeadline.expired(100 + 7 * SECOND));
  }

  @Test
  void what_is_left_counts_down_to_zero_and_no_further() {
    ContactDeadline contactDeadline = sixSeconds(0);
    assertEquals(6000, contactDeadline.remainingMillis(0));
    assertEquals(1500, contactDeadline.remainingMillis(4_500_000_000L));
    assertEquals(0, contactDeadline.remainingMillis(60 * SECOND));
  }

  @Test
  void a_renewal_starts_it_again_with_the_same_length() {
    ContactDeadline renewed = sixSeconds(0).renew(4 * SECOND);
    assertEquals(6000, renewed.remainingMillis(4 * SECOND));
    assertFalse(renewed.expired(9 * SECOND));
    assertTrue(renewed.expired(10 * SECOND));
  }

  @Test
  void a_renewal_that_comes_too_late_still_counts() {
    assertFalse(sixSeconds(0).renew(20 * SECOND).expired(21 * SECOND));
  }

  @Property(tries = 200)
  void it_is_the_same_wherever_the_monotonic_clock_starts(
      @ForAll long start, @ForAll @LongRange(min = 0, max = 20_000_000_000L) long passed) {
    assertEquals(
        sixSeconds(0).remainingMillis(passed), sixSeconds(start).remainingMillis(start + passed));
  }
}
