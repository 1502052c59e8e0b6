package io.remuda.coordinator.schedule.forecast;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.LineBuilder;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.QueueOrder;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One node of 4 cores, each of which a slot of its own holds; slot n is named n. */
class StartForecastTest {

  private static final long MINUTE = 60_000;

  private final List<ExpectedSlotEnd> ends = new ArrayList<>();

  private StartForecastTest ends(long slot, long minutes) {
    ends.add(new ExpectedSlotEnd(slot, minutes * MINUTE));
    return this;
  }

  private static List<NodeOffer> offers(Set<Long> gone) {
    return List.of(node("n1").cpus(Math.min(4000L, 1000L * gone.size()), 4000).offer());
  }

  /** Forecasts for tasks that take as long as their limit. */
  private Map<JobId, JobForecast> forecasts(LineBuilder... lines) {
    List<TaskClass> classes = Arrays.stream(lines).map(LineBuilder::line).toList();
    return StartForecast.of(
        new QueueOrder(classes, Map.of(), Map.of()),
        ends,
        StartForecastTest::offers,
        (job, key) ->
            key.timeLimitMillis() == 0
                ? OptionalLong.empty()
                : OptionalLong.of(key.timeLimitMillis()));
  }

  private static Long minutes(JobForecast forecast) {
    return forecast.startsInMillis() == null ? null : forecast.startsInMillis() / MINUTE;
  }

  private static LineBuilder job(long id, int count, double cpus) {
    return tasks(id, count).need(needs().cpus(cpus));
  }

  @Test
  void a_job_starts_when_enough_of_what_runs_has_ended() {
    Map<JobId, JobForecast> all =
        ends(1, 10).ends(2, 30).ends(3, 20).forecasts(job(7, 1, 2), job(8, 1, 1));
    assertEquals(1, all.get(new JobId(7)).turn());
    assertEquals(30, minutes(all.get(new JobId(7)))); // the other one overtakes it
    assertEquals(2, all.get(new JobId(8)).turn());
    assertEquals(10, minutes(all.get(new JobId(8))));
  }

  @Test
  void a_job_behind_others_starts_when_they_have_ended() {
    Map<JobId, JobForecast> all =
        ends(1, 10)
            .forecasts(
                job(7, 1, 1).limitMillis(60 * MINUTE),
                job(8, 2, 1).limitMillis(5 * MINUTE),
                job(9, 1, 1));
    assertEquals(10, minutes(all.get(new JobId(7))));
    assertEquals(70, minutes(all.get(new JobId(8))));
    assertEquals(80, minutes(all.get(new JobId(9))));
  }

  @Test
  void what_waits_for_a_task_of_unknown_length_has_no_time() {
    Map<JobId, JobForecast> all = ends(1, 10).forecasts(job(7, 1, 1), job(8, 1, 1), job(9, 1, 4));
    assertEquals(10, minutes(all.get(new JobId(7))));
    assertEquals(new JobForecast(2, null), all.get(new JobId(8)));
    assertEquals(new JobForecast(3, null), all.get(new JobId(9)));
  }

  @Test
  void what_fits_now_and_waits_nevertheless_has_no_time() {
    assertEquals(new JobForecast(1, null), ends(1, 10).forecasts(job(7, 1, 0)).get(new JobId(7)));
  }

  @Test
  void a_gang_starts_when_all_its_members_fit_and_holds_nothing_before() {
    Map<JobId, JobForecast> all =
        ends(1, 10).ends(2, 20).forecasts(job(7, 2, 1).gang(), job(8, 1, 1).limitMillis(MINUTE));
    assertEquals(20, minutes(all.get(new JobId(7))));
    assertEquals(10, minutes(all.get(new JobId(8))));
  }

  @Test
  void jobs_of_one_class_take_their_turns_one_after_the_other() {
    LineBuilder first = job(7, 1_000_000, 1);
    TaskClass both = first.line();
    both.tasks().add(new JobId(9), 0, 3);
    both.tasks().add(new JobId(8), 5, 6);
    Map<JobId, JobForecast> all =
        StartForecast.of(
            new QueueOrder(List.of(both), Map.of(), Map.of()),
            List.of(),
            StartForecastTest::offers,
            (job, key) -> OptionalLong.empty());
    assertEquals(
        List.of(1, 2, 3),
        List.of(
            all.get(new JobId(7)).turn(),
            all.get(new JobId(8)).turn(),
            all.get(new JobId(9)).turn()));
  }

  @Test
  void the_look_ahead_is_bounded() {
    List<LineBuilder> many = new ArrayList<>();
    for (int i = 1; i <= 5000; i++) {
      many.add(job(i, 100, 1 + i / 10_000.0).limitMillis(MINUTE));
      ends(i + 4L, i);
    }
    assertEquals(1000, forecasts(many.toArray(LineBuilder[]::new)).size());
  }
}
