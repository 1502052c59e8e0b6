package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exitedAfter;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.profile.StartErrors;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartIntervals;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskArrayTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One node that one task fills, and tasks of ten minutes that wait for it. */
class ForecastRecordsTest {

  private static final ResourceRequest WHOLE = new ResourceRequest(4, 0);
  private static final long MINUTE = 60_000;
  private static final long DAY = 86_400_000;

  private final TestCluster cluster = new TestCluster().node("n1").commands();
  private final List<Profile> stored = new ArrayList<>();
  private long job;

  private JobForecast forecast(long which) {
    cluster.tasks.begin(20_000 * DAY, cluster.now());
    return cluster.tasks.forecast(cluster.nodes.all(), cluster.now()).get(new JobId(which));
  }

  /** A task begins, the next job waits behind it, and is looked at; then the task ends. */
  private JobForecast turn(long minutes) {
    cluster.job(job + 1, 1, WHOLE).after(Duration.ofSeconds(2)).schedule();
    JobForecast seen = forecast(job + 1);
    cluster
        .after(Duration.ofMinutes(minutes))
        .reported("n1", exitedAfter(job + ".0.1", minutes * MINUTE))
        .schedule();
    cluster.tasks.drop(new JobId(job));
    job++;
    cluster.reported("n1", running(job + ".0.1")).schedule();
    cluster.tasks.takeProfiles().stream()
        .filter(one -> one.type().equals(Profile.CLUSTER))
        .map(Profiles.Change::profile)
        .forEach(one -> stored.add(one.orElseThrow()));
    return seen;
  }

  private ForecastRecordsTest first() {
    job = 1;
    cluster.job(1, 1, WHOLE).schedule().reported("n1", running("1.0.1")).schedule();
    return this;
  }

  @Test
  void an_interval_is_known_after_some_starts_and_how_many_have_held() {
    first();
    JobForecast seen = null;
    for (int i = 0; i < StartIntervals.LEAST + 1; i++) {
      seen = turn(10);
      assertNull(seen.interval(), "after " + i);
    }
    seen = turn(10);
    assertNotNull(seen.interval());
    assertEquals(10, Math.round(seen.interval().untilMillis() / (double) MINUTE));
    assertEquals(0, seen.interval().shown());
    seen = turn(10);
    assertEquals(1, seen.interval().shown());
    assertEquals(1, seen.interval().held());
    turn(120);
    seen = turn(10);
    assertEquals(3, seen.interval().shown());
    assertEquals(2, seen.interval().held(), "one took two hours");
  }

  @Test
  void what_is_learned_is_stored_with_the_profiles_and_read_from_there() {
    first();
    for (int i = 0; i < StartIntervals.LEAST + 5; i++) {
      turn(10);
    }
    StartErrors last = stored.get(stored.size() - 1).starts();
    assertEquals(StartIntervals.LEAST + 4, last.errors().size(), "of the first nothing was known");
    TestCluster later = new TestCluster().node("n1").commands();
    later.tasks.restoreProfiles(List.of(stored.get(stored.size() - 1)));
    JobTerms limited =
        new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 10 * MINUTE, 0, null);
    later.terms(limited).job(1, 1, WHOLE).job(2, 1, WHOLE).schedule();
    later.reported("n1", running("1.0.1"));
    assertNotNull(
        later.tasks.forecast(later.nodes.all(), later.now()).get(new JobId(2)).interval());
  }

  @Test
  void a_job_that_was_held_meanwhile_does_not_count() {
    first();
    turn(10);
    turn(10);
    stored.clear();
    cluster.job(job + 1, 1, WHOLE).after(Duration.ofSeconds(2)).schedule();
    assertNotNull(forecast(job + 1).startsInMillis());
    cluster.hold(job + 1).after(Duration.ofMinutes(5)).schedule();
    assertNull(forecast(job + 1));
    cluster.release(job + 1);
    cluster.reported("n1", exitedAfter(job + ".0.1", 10 * MINUTE)).schedule();
    assertEquals("n1[]", cluster.place((job + 1) + ".0"));
    assertEquals(
        List.of(),
        cluster.tasks.takeProfiles().stream()
            .filter(one -> one.type().equals(Profile.CLUSTER))
            .toList());
  }

  @Test
  void a_job_that_still_waits_after_its_interval_counts_before_it_starts() {
    first();
    for (int i = 0; i < StartIntervals.LEAST + 1; i++) {
      turn(10);
    }
    cluster.job(job + 1, 1, WHOLE).after(Duration.ofSeconds(2)).schedule();
    assertEquals(0, forecast(job + 1).interval().shown());
    cluster.after(Duration.ofMinutes(30));
    forecast(job + 1);
    cluster.after(Duration.ofMinutes(30));
    JobForecast later = forecast(job + 1);
    assertEquals(1, later.interval().shown(), "once");
    assertEquals(0, later.interval().held());
  }

  /** Learns an interval; then a job waits behind another, and its interval was seen. */
  private long waitsWithAnInterval() {
    first();
    for (int i = 0; i < StartIntervals.LEAST + 1; i++) {
      turn(10);
    }
    cluster.job(job + 1, 1, WHOLE).after(Duration.ofSeconds(2)).schedule();
    assertNotNull(forecast(job + 1).interval());
    return job + 1;
  }

  /** The waiting job starts after two hours; returns what the next one is told. */
  private StartIntervals.Interval startsLate(long waiting) {
    cluster
        .after(Duration.ofHours(2))
        .reported("n1", exitedAfter(job + ".0.1", 130 * MINUTE))
        .schedule();
    assertEquals("n1[]", cluster.place(waiting + ".0"));
    cluster.job(waiting + 1, 1, WHOLE).schedule();
    return forecast(waiting + 1).interval();
  }

  @Test
  void a_job_that_starts_after_its_interval_is_a_miss() {
    StartIntervals.Interval later = startsLate(waitsWithAnInterval());
    assertEquals(1, later.shown());
    assertEquals(0, later.held());
  }

  @Test
  void a_job_that_was_held_and_released_before_anybody_looked_again_is_none() {
    long waiting = waitsWithAnInterval();
    cluster.hold(waiting).after(Duration.ofMinutes(1)).release(waiting);
    assertEquals(0, startsLate(waiting).shown());
  }

  @Test
  void a_job_of_which_its_user_has_changed_something_is_none() {
    long waiting = waitsWithAnInterval();
    JobSpec spec = cluster.tasks.job(new JobId(waiting)).orElseThrow();
    cluster
        .tasks
        .requests()
        .change(spec.withTerms(spec.terms().with(draft -> draft.timeLimitMillis = 60 * MINUTE)));
    assertEquals(0, startsLate(waiting).shown());
  }

  @Test
  void no_forecast_counts_from_before_somebody_put_a_job_first_or_gave_it_another_priority() {
    long waiting = waitsWithAnInterval();
    cluster.job(waiting + 5, 1, WHOLE);
    JobSpec spec = cluster.tasks.job(new JobId(waiting + 5)).orElseThrow();
    cluster.tasks.requests().change(spec.withTerms(spec.terms().with(draft -> draft.priority = 1)));
    cluster.cancel(waiting + 5);
    assertEquals(0, startsLate(waiting).shown());
  }

  @Test
  void what_another_user_puts_first_of_his_own_jobs_changes_nothing_for_others() {
    long waiting = waitsWithAnInterval();
    cluster.of("bob").job(waiting + 5, 1, WHOLE);
    JobSpec spec = cluster.tasks.job(new JobId(waiting + 5)).orElseThrow();
    cluster
        .tasks
        .requests()
        .change(spec.withTerms(spec.terms().withArray(TaskArrayTerms.NONE.withFirst(1))));
    cluster.cancel(waiting + 5);
    assertEquals(1, startsLate(waiting).shown());
  }

  /**
   * One job waits for n1, and behind it one of the same user for n2, where a core is free; a task
   * of two hours comes that needs one.
   */
  private String placeOfWhoPasses(boolean isSeen) {
    long waiting = waitsWithAnInterval();
    cluster.cancel(waiting).node("n2").job(waiting + 1, 1, new ResourceRequest(3, 0)).schedule();
    assertEquals("n2[]", cluster.place((waiting + 1) + ".0"));
    cluster.reported("n2", running((waiting + 1) + ".0.1"));
    cluster.terms(new JobTerms(false, PlacementPolicy.PACK, 1, List.of(), 0, 0, null));
    cluster.job(waiting + 2, 1, WHOLE).job(waiting + 3, 1, new ResourceRequest(3, 0));
    cluster.after(Duration.ofMinutes(2)).schedule();
    if (isSeen) {
      assertNotNull(forecast(waiting + 3).interval());
    }
    JobTerms hours = new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 120 * MINUTE, 0, null);
    cluster.of("bob").terms(hours).job(waiting + 4, 1, new ResourceRequest(1, 0)).schedule();
    return cluster.place((waiting + 4) + ".0");
  }

  @Test
  void nobody_passes_a_job_who_ends_after_it_was_told_to_start() {
    assertEquals("-", placeOfWhoPasses(true));
  }

  @Test
  void what_nobody_was_told_is_kept_for_nobody() {
    assertEquals("n2[]", placeOfWhoPasses(false));
  }
}
