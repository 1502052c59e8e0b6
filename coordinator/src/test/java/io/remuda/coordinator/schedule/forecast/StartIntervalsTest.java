package io.remuda.coordinator.schedule.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.StartErrors;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartIntervalsTest {

  private static final long MINUTE = 60_000;

  private final StartIntervals intervals = new StartIntervals();

  /** Jobs wait between a minute and ten hours, and start a random factor later than expected. */
  private double held(int jobs, double spread, double bias, Random random) {
    int held = 0;
    for (int i = 0; i < jobs; i++) {
      long expected = (long) (MINUTE * Math.exp(random.nextDouble() * Math.log(600)));
      long waited = (long) (expected * Math.exp(bias + spread * random.nextGaussian()));
      StartIntervals.Interval shown = intervals.of(expected, 1).orElse(null);
      boolean right =
          shown != null && waited >= shown.fromMillis() && waited <= shown.untilMillis();
      held += right ? 1 : 0;
      intervals.waited(expected, shown, waited, 1);
    }
    return (double) held / jobs;
  }

  @Test
  void nothing_is_said_while_too_few_jobs_have_started() {
    for (int i = 0; i < StartIntervals.LEAST; i++) {
      assertEquals(Optional.empty(), intervals.of(MINUTE, 1), i + " starts");
      intervals.waited(MINUTE, null, MINUTE, 1);
    }
    assertEquals(
        Optional.of(new StartIntervals.Interval(MINUTE, MINUTE, MINUTE + 1000, 0, 0)),
        intervals.of(MINUTE, 1));
  }

  @Test
  void nine_of_ten_hold_whatever_the_errors_are_like() {
    for (double spread : new double[] {0.05, 0.5, 2}) {
      for (double bias : new double[] {-1, 0, 1}) {
        StartIntervalsTest test = new StartIntervalsTest();
        Random random = new Random(7);
        test.held(500, spread, bias, random);
        double held = test.held(4000, spread, bias, random);
        assertTrue(Math.abs(held - 0.9) < 0.03, spread + ", " + bias + ": " + held);
      }
    }
  }

  @Test
  void nine_of_ten_hold_again_after_the_cluster_has_changed() {
    Random random = new Random(7);
    held(1000, 0.1, 0, random);
    double first = held(100, 0.5, 1, random);
    assertTrue(first < 0.85, "it cannot know at once: " + first);
    held(400, 0.5, 1, random);
    double later = held(2000, 0.5, 1, random);
    assertTrue(Math.abs(later - 0.9) < 0.03, "" + later);
  }

  @Test
  void better_forecasts_have_shorter_intervals() {
    held(500, 0.1, 0, new Random(7));
    StartIntervalsTest other = new StartIntervalsTest();
    other.held(500, 1, 0, new Random(7));
    StartIntervals.Interval good = intervals.of(60 * MINUTE, 1).orElseThrow();
    StartIntervals.Interval bad = other.intervals.of(60 * MINUTE, 1).orElseThrow();
    assertTrue(good.untilMillis() - good.fromMillis() < 30 * MINUTE, "" + good);
    assertTrue(bad.untilMillis() - bad.fromMillis() > 60 * MINUTE, "" + bad);
  }

  @Test
  void forecasts_of_about_the_same_length_count_alone_if_there_are_enough() {
    for (int i = 0; i < StartIntervals.LEAST_ALIKE; i++) {
      intervals.waited(5 * MINUTE, null, 5 * MINUTE, 1);
      intervals.waited(600 * MINUTE, null, 1200 * MINUTE, 1);
    }
    assertEquals(5 * MINUTE + 1000, intervals.of(5 * MINUTE, 1).orElseThrow().untilMillis());
    long until = intervals.of(600 * MINUTE, 1).orElseThrow().untilMillis();
    assertTrue(Math.abs(until - 1200 * MINUTE) < 2 * MINUTE, "" + until);
  }

  @Test
  void the_intervals_of_a_month_are_counted() {
    for (int i = 0; i < StartIntervals.LEAST; i++) {
      intervals.waited(MINUTE, null, MINUTE, 1);
    }
    StartIntervals.Interval shown = intervals.of(MINUTE, 1).orElseThrow();
    intervals.waited(MINUTE, shown, MINUTE, 1);
    intervals.waited(MINUTE, shown, 9 * MINUTE, 2);
    StartIntervals.Interval next = intervals.of(MINUTE, 2).orElseThrow();
    assertEquals(2, next.shown());
    assertEquals(1, next.held());
    StartIntervals.Interval later = intervals.of(MINUTE, 1 + StartErrors.DAYS).orElseThrow();
    assertEquals(1, later.shown(), "the first day is too long ago");
    assertEquals(0, later.held());
  }

  @Test
  void what_is_learned_goes_on_after_a_restart() {
    held(500, 0.5, 0, new Random(7));
    StartIntervals later = new StartIntervals();
    later.restore(intervals.learned());
    assertEquals(intervals.of(60 * MINUTE, 1), later.of(60 * MINUTE, 1));
  }

  @Test
  void a_forecast_that_is_always_off_by_the_same_factor_is_corrected() {
    held(500, 0.1, 1, new Random(7));
    double factor = intervals.of(600 * MINUTE, 1).orElseThrow().likelyMillis() / (600.0 * MINUTE);
    assertEquals(Math.E, factor, 0.2);
  }
}
