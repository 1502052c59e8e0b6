package io.remuda.coordinator.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.PairSpeeds.Run;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which types are known to be slow together. All runs take ten seconds alone. */
class ProfilesTest {
  private static final JobType TRAIN = new JobType("ann", "train");
  private static final JobType EVAL = new JobType("bob", "eval");
  private static final long ALONE = 10_000;

  private final Profiles profiles = new Profiles();

  private Profile of(JobType type) {
    return profiles
        .of(type)
        .orElseGet(() -> Profile.unknown(type).ran(1, null, 1).took(Run.alone("H200", ALONE)));
  }

  /** A run of a type was so fast beside another one. */
  private void ran(JobType type, JobType beside, int percent) {
    profiles.put(of(type).took(new Run("H200", ALONE * 100 / percent, 0, beside, 1, 1)));
  }

  @Test
  void two_are_slow_together_once_both_were_measured_and_sum_up_to_too_little() {
    ran(TRAIN, EVAL, 50);
    assertEquals(Map.of(), profiles.slowTogether());
    ran(EVAL, TRAIN, 59);
    assertEquals(
        Map.of(TRAIN, Map.of(EVAL, 109), EVAL, Map.of(TRAIN, 109)), profiles.slowTogether());
  }

  @Test
  void a_tenth_more_than_one_after_the_other_is_worth_it() {
    ran(TRAIN, EVAL, 50);
    ran(EVAL, TRAIN, 60);
    assertEquals(Map.of(), profiles.slowTogether());
  }

  @Test
  void a_type_with_itself_counts_twice() {
    ran(TRAIN, TRAIN, 54);
    assertEquals(Map.of(TRAIN, Map.of(TRAIN, 108)), profiles.slowTogether());
    ran(EVAL, EVAL, 55);
    assertFalse(profiles.slowTogether().containsKey(EVAL));
  }

  @Test
  void a_better_measurement_brings_them_together_again() {
    ran(TRAIN, EVAL, 50);
    ran(EVAL, TRAIN, 50);
    ran(TRAIN, EVAL, 70);
    assertEquals(Map.of(), profiles.slowTogether());
  }

  @Test
  void they_are_no_longer_kept_apart_once_runs_of_one_of_them_are_seen_to_differ() {
    ran(TRAIN, EVAL, 50);
    ran(EVAL, TRAIN, 50);
    profiles.put(of(EVAL).took(Run.alone("H200", 2 * ALONE)));
    assertEquals(Map.of(), profiles.slowTogether());
  }

  @Test
  void what_is_forgotten_is_forgotten_on_both_sides() {
    ran(TRAIN, EVAL, 50);
    ran(EVAL, TRAIN, 50);
    ran(TRAIN, TRAIN, 50);
    profiles.takeChanges();
    assertTrue(profiles.forget(EVAL));
    assertEquals(Map.of(TRAIN, Map.of(TRAIN, 100)), profiles.slowTogether());
    assertEquals(
        List.of(
            new Profiles.Change(EVAL, Optional.empty()),
            new Profiles.Change(TRAIN, profiles.of(TRAIN))),
        profiles.takeChanges());
    ran(EVAL, TRAIN, 50);
    assertFalse(profiles.slowTogether().containsKey(EVAL), "the other one is measured again, too");
    profiles.forget(TRAIN);
    assertEquals(Map.of(), profiles.slowTogether(), "nor is it slow beside itself");
  }

  @Test
  void what_was_stored_is_known_again() {
    ran(TRAIN, EVAL, 50);
    ran(EVAL, TRAIN, 50);
    Profiles next = new Profiles();
    next.restore(List.of(of(TRAIN), of(EVAL)));
    assertEquals(profiles.slowTogether(), next.slowTogether());
    assertEquals(2, next.slowTogether().size());
  }
}
