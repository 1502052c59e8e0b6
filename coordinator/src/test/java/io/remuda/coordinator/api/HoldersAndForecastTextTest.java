package io.remuda.coordinator.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartIntervals;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HoldersAndForecastTextTest {

  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 11, 24, 14, 0, 0, 0, ZoneOffset.UTC);

  private static List<String> text(JobForecast forecast, Explanation.Holder... holders) {
    return HoldersAndForecastText.of(
        new Explanation(
            new JobId(9),
            TaskState.WAITING,
            Map.of(TaskState.WAITING, 1),
            new ResourceRequest(1, 0),
            List.of(),
            Map.of(),
            List.of(holders),
            forecast),
        NOW);
  }

  @Test
  void a_holder_is_named_with_what_it_holds_and_until_when() {
    assertEquals(
        List.of(
            "lab7: job 5 (train, ann) holds 2 CPUs, 1 GPU, 4.0 GiB, until 14:20 at the latest",
            "lab7: job 6 (sweep, bob) holds 1.50 CPUs by 3 tasks, without a time limit"),
        text(
            null,
            new Explanation.Holder(
                "lab7", new JobId(5), "train", "ann", 1, 2000, 4L << 30, 1, 1_200_000L),
            new Explanation.Holder("lab7", new JobId(6), "sweep", "bob", 3, 1500, 0, 0, null)));
  }

  @Test
  void a_holder_of_no_cpu_is_named_with_the_rest() {
    assertEquals(
        List.of("lab7: job 5 (train, ann) holds 1 GPU by 2 tasks, without a time limit"),
        text(null, new Explanation.Holder("lab7", new JobId(5), "train", "ann", 2, 0, 0, 1, null)));
  }

  @Test
  void a_start_on_another_day_has_its_date_and_one_that_nobody_knows_is_said_so() {
    assertEquals(
        List.of(
            "its turn is number 3 of the waiting jobs; expected start: ~2026-11-25 02:00"
                + " (too few jobs have started to say how sure that is)"),
        text(new JobForecast(3, 12 * 3_600_000L)));
    assertEquals(
        List.of("its turn is number 1 of the waiting jobs; expected start: not known"),
        text(new JobForecast(1, null)));
  }

  @Test
  void an_interval_is_said_with_how_many_such_intervals_have_held() {
    StartIntervals.Interval interval =
        new StartIntervals.Interval(300_000, 600_000, 2_400_000, 30, 27);
    assertEquals(
        List.of(
            "its turn is number 1 of the waiting jobs; expected start: 14:05-14:40"
                + " (90 % of such times of the last 30 days have held)"),
        text(new JobForecast(1, 600_000L, interval)));
    StartIntervals.Interval first = new StartIntervals.Interval(300_000, 600_000, 2_400_000, 0, 0);
    assertEquals(
        List.of("its turn is number 1 of the waiting jobs; expected start: 14:05-14:40"),
        text(new JobForecast(1, 600_000L, first)));
  }

  @Test
  void an_interval_of_another_day_has_its_dates_apart() {
    StartIntervals.Interval interval =
        new StartIntervals.Interval(300_000, 600_000, 12 * 3_600_000L, 0, 0);
    String line = text(new JobForecast(1, 600_000L, interval)).get(0);
    assertTrue(line.endsWith("expected start: 14:05 to 2026-11-25 02:00"), line);
  }
}
