package io.remuda.coordinator.schedule.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The examples of docs/scheduling.md, and what holds of all policies. */
class OrderPoliciesTest {

  private static final long SECOND = 1000;
  private static final long HOUR = 3600 * SECOND;

  private final LearnedDurations learned = new LearnedDurations();

  private static JobStanding known(int gpus, long left) {
    return new JobStanding(gpus, 0, OptionalLong.of(left));
  }

  private static JobStanding unknown(int gpus, long ran) {
    return new JobStanding(gpus, ran, OptionalLong.empty());
  }

  private double urgency(OrderPolicies policy, JobStanding job) {
    return policy.policy().value(job, learned) / job.gpus();
  }

  @Test
  void two_hours_on_eight_gpus_come_after_ten_hours_on_one() {
    double eight = urgency(OrderPolicies.SHORTEST, known(8, 2 * HOUR));
    double one = urgency(OrderPolicies.SHORTEST, known(1, 10 * HOUR));
    assertEquals(1 / (16 * 3600.0), eight, 1e-12);
    assertEquals(1 / (10 * 3600.0), one, 1e-12);
    assertTrue(one > eight);
  }

  @Test
  void jobs_are_equal_until_they_have_had_four_times_as_much() {
    assertEquals(
        urgency(OrderPolicies.LEVELS, unknown(1, 61 * SECOND)),
        urgency(OrderPolicies.LEVELS, unknown(4, 59 * SECOND)));
    assertEquals(
        4,
        urgency(OrderPolicies.LEVELS, unknown(1, 239 * SECOND))
            / urgency(OrderPolicies.LEVELS, unknown(1, 240 * SECOND)),
        1e-9);
  }

  @Test
  void where_nine_of_ten_jobs_end_in_a_minute_one_that_has_run_for_an_hour_can_wait() {
    for (int i = 0; i < 200; i++) {
      learned.ended(1, 0, i % 10 == 0 ? 20 * HOUR : 40 * SECOND);
    }
    double fresh = urgency(OrderPolicies.LEARNED, unknown(1, 0));
    double old = urgency(OrderPolicies.LEARNED, unknown(1, HOUR));
    assertTrue(fresh > 1 / 60.0, "ends in a minute, most likely: " + fresh);
    assertTrue(old < 1 / (10 * 3600.0), "has nineteen hours to go: " + old);
  }

  @Test
  void where_all_jobs_take_a_day_one_that_has_run_for_most_of_it_is_more_urgent_than_a_new_one() {
    for (int i = 0; i < 200; i++) {
      learned.ended(1, 0, 24 * HOUR);
    }
    assertTrue(
        urgency(OrderPolicies.LEARNED, unknown(1, 20 * HOUR))
            > urgency(OrderPolicies.LEARNED, unknown(1, 0)));
  }

  @Test
  void where_nothing_is_known_the_longer_a_job_has_run_the_less_urgent_it_is() {
    double before = Double.POSITIVE_INFINITY;
    for (long ran = 0; ran < 1000 * HOUR; ran = 2 * ran + 10 * SECOND) {
      double now = urgency(OrderPolicies.LEARNED, unknown(1, ran));
      assertTrue(now <= before, "after " + ran);
      before = now;
    }
  }

  @Test
  void a_running_job_that_nobody_has_seen_the_end_of_is_learned_from_too() {
    learned.ended(1, 0, 40 * SECOND);
    double before = urgency(OrderPolicies.LEARNED, unknown(1, 0));
    for (int i = 0; i < 20; i++) {
      learned.ran(1, 0, 100 * HOUR);
    }
    assertTrue(urgency(OrderPolicies.LEARNED, unknown(1, 0)) <= before);
    learned.ended(1, 0, 100 * HOUR);
    assertTrue(urgency(OrderPolicies.LEARNED, unknown(1, 0)) < before);
  }

  @Test
  void expected_uses_what_is_known_of_each_job() {
    assertEquals(
        urgency(OrderPolicies.SHORTEST, known(2, HOUR)),
        urgency(OrderPolicies.EXPECTED, known(2, HOUR)));
    assertEquals(
        urgency(OrderPolicies.LEARNED, unknown(2, HOUR)),
        urgency(OrderPolicies.EXPECTED, unknown(2, HOUR)));
  }

  @Test
  void a_value_is_the_same_until_the_policy_says_that_it_falls() {
    for (OrderPolicies policy : OrderPolicies.values()) {
      for (long ran = 0; ran < 1000 * HOUR; ran = 3 * ran + 7 * SECOND) {
        JobStanding now = unknown(4, ran);
        long falls = policy.policy().fallsAt(now);
        assertTrue(falls > ran, policy + " after " + ran);
        if (falls < Long.MAX_VALUE) {
          double value = policy.policy().value(now, learned);
          assertEquals(value, policy.policy().value(unknown(4, falls - 1), learned));
        }
      }
    }
  }

  @Test
  void age_makes_any_job_more_urgent_than_a_new_one_at_last() {
    double long_ = urgency(OrderPolicies.SHORTEST, known(512, 10_000 * HOUR));
    double short_ = urgency(OrderPolicies.SHORTEST, known(1, SECOND));
    assertTrue(long_ < short_);
    assertTrue(AgedUrgency.aged(long_, 24 * HOUR * 365 * 10) > short_);
    assertEquals(2 * long_, AgedUrgency.aged(long_, 24 * HOUR * AgedUrgency.DAYS));
  }

  @Test
  void an_unknown_name_is_refused_with_all_names() {
    assertEquals(
        "--order must be one of fifo, backfill, fair, levels, shortest, learned, expected, got 'x'",
        assertThrows(IllegalArgumentException.class, () -> OrderPolicies.parse("x", "--order"))
            .getMessage());
  }
}
