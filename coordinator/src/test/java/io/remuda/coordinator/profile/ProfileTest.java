package io.remuda.coordinator.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProfileTest {
  private static final long GIB = 1L << 30;
  private static final long MIB = 1L << 20;

  private static Profile runs(Profile before, int count, long peak) {
    Profile profile = before;
    for (int i = 0; i < count; i++) {
      profile = profile.ran(peak, null, 1000);
    }
    return profile;
  }

  private static Profile unknown() {
    return Profile.unknown(new JobType("ann", "train"));
  }

  @Test
  void the_first_good_run_makes_it_known_with_a_margin() {
    assertFalse(unknown().isKnown());
    Profile known = unknown().ran(10 * GIB, 80, 5000);
    assertTrue(known.isKnown());
    assertEquals(10752 * MIB, known.reservation(), "5 % more, in whole MiB");
    assertEquals(80, known.utilPercent());
  }

  @Test
  void the_margin_is_smaller_once_several_runs_have_used_the_same() {
    assertEquals(10752 * MIB, runs(unknown(), 2, 10 * GIB).reservation());
    assertEquals(10445 * MIB, runs(unknown(), 3, 10 * GIB).reservation(), "2 % more");
    Profile unsteady = runs(unknown(), 3, 10 * GIB).ran(9 * GIB, null, 1000);
    assertEquals(10752 * MIB, unsteady.reservation());
  }

  @Test
  void it_goes_up_at_once_and_down_only_when_twenty_runs_used_less() {
    Profile profile = unknown().ran(2 * GIB, null, 1).ran(8 * GIB, null, 1);
    long high = profile.reservation();
    assertTrue(high > 8 * GIB);
    profile = runs(profile, 19, 2 * GIB);
    assertEquals(high, profile.reservation());
    profile = runs(profile, 1, 2 * GIB);
    assertTrue(profile.reservation() < 3 * GIB, profile::toString);
    assertEquals(8 * GIB, profile.most());
    assertEquals(22, profile.runs());
  }

  @Test
  void a_failure_is_no_profile_but_its_peak_is_a_lower_bound() {
    Profile failed = unknown().failed(6 * GIB);
    assertFalse(failed.isKnown());
    Profile known = failed.ran(2 * GIB, null, 1);
    assertEquals(6 * GIB, known.reservation());
    assertTrue(runs(known, 19, 2 * GIB).reservation() < 3 * GIB, "twenty runs were enough with it");
  }

  @Test
  void what_was_not_seen_on_its_gpu_gets_a_little() {
    assertEquals(64 * MIB, unknown().ran(0, null, 1).reservation());
  }

  @Test
  void three_runs_in_a_row_without_use_make_it_known_with_the_least() {
    Profile twice = unknown().unused(1).unused(1);
    assertFalse(twice.isKnown());
    assertEquals(2, twice.unusedRuns());
    Profile known = twice.unused(1);
    assertTrue(known.isKnown());
    assertEquals(64 * MIB, known.reservation());
    assertEquals(3, known.runs());
    assertEquals(3, known.unusedRuns());
  }

  @Test
  void a_run_with_use_counts_at_once_also_after_some_without() {
    Profile profile = unknown().unused(1).unused(1).unused(1).ran(GIB, null, 1);
    assertEquals(0, profile.unusedRuns());
    assertTrue(profile.reservation() > GIB);
    assertFalse(unknown().unused(1).unused(1).ran(GIB, null, 1).unused(1).reservation() < GIB);
  }

  @Test
  void what_a_failed_run_had_used_is_promised_though_three_runs_have_used_none() {
    assertEquals(GIB, unknown().failed(GIB).unused(1).unused(1).unused(1).reservation());
  }

  @Test
  void quantiles_are_those_of_the_newest_runs() {
    Profile profile = unknown();
    for (int i = 1; i <= 19; i++) {
      profile = profile.ran(i * GIB, null, 1);
    }
    assertEquals(10 * GIB, profile.quantile(0.5));
    assertEquals(18 * GIB, profile.quantile(0.95));
    assertEquals(19 * GIB, profile.quantile(1));
  }
}
