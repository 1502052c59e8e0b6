package io.remuda.coordinator.rest.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartIntervals;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.StoreSamples;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobDependency;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JobAnswerTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final Instant TEN = Instant.parse("2026-11-25T22:00:00Z");
  private static final WaitReason BEGINS = new WaitReason.BeginsLater(TEN.toEpochMilli());
  private static final WaitReason AFTER = new WaitReason.AfterJob(JobDependency.parse("1"));

  @Test
  void of_many_nodes_the_first_eight_are_named_and_the_others_counted() {
    SortedSet<String> nodes = new TreeSet<>();
    for (int i = 1; i <= 8; i++) {
      nodes.add("n" + i);
    }
    JobRow row = StoreSamples.row(StoreSamples.spec(1, 1), TaskState.SUCCEEDED, 3000);
    JobAnswer eight = JobAnswer.of(row).with(LiveJobProgress.ended(Map.of(), nodes, null, null));
    assertEquals(List.copyOf(nodes), eight.nodes());
    assertNull(eight.nodesMore());
    nodes.add("n9");
    JobAnswer nine = JobAnswer.of(row).with(LiveJobProgress.ended(Map.of(), nodes, null, null));
    assertEquals(eight.nodes(), nine.nodes());
    assertEquals(1, nine.nodesMore());
  }

  @Test
  void a_job_with_a_time_to_begin_may_start_then_unless_it_waits_for_jobs_too() {
    assertEquals(
        new ExpectedStartAnswer(TEN.toString(), null, null),
        ExpectedStartAnswer.of(null, List.of(BEGINS), NOW));
    assertNull(ExpectedStartAnswer.of(null, List.of(AFTER, BEGINS), NOW));
    assertNull(ExpectedStartAnswer.of(null, List.of(), NOW));
    assertEquals(
        new ExpectedStartAnswer("2026-11-25T10:00:05Z", null, null),
        ExpectedStartAnswer.of(new JobForecast(1, 5000L), List.of(), NOW));
  }

  @Test
  void a_waiting_job_has_the_interval_in_which_it_starts_if_that_is_known() {
    JobForecast forecast =
        new JobForecast(1, 60_000L, new StartIntervals.Interval(30_000, 60_000, 120_000, 50, 45));
    assertEquals(
        new ExpectedStartAnswer(
            "2026-11-25T10:01:00Z", "2026-11-25T10:00:30Z", "2026-11-25T10:02:00Z"),
        ExpectedStartAnswer.of(forecast, List.of(), NOW));
  }

  @Test
  void a_job_of_which_tasks_run_says_why_others_wait_unless_something_has_happened_to_it() {
    JobRow row = StoreSamples.row(StoreSamples.spec(1, 3), TaskState.RUNNING, 0);
    LiveJobProgress view = new LiveJobProgress(Map.of(), List.of(new WaitReason.OnHold()));
    String why = JobAnswer.of(row).with(view).reason();
    assertTrue(why.contains("on hold"), why);
    assertEquals("1.2 failed", JobAnswer.of(row.because("1.2 failed", 1)).with(view).reason());
    JobRow waits = StoreSamples.row(StoreSamples.spec(1, 3), TaskState.WAITING, 0);
    assertEquals(why, JobAnswer.of(waits.because("of before", 1)).with(view).reason());
  }

  @Test
  void a_task_that_is_asked_for_has_its_own_state_and_not_the_jobs() {
    JobAnswer job = JobAnswer.of(StoreSamples.row(StoreSamples.spec(7, 3), TaskState.FAILED, 9000));
    JobAnswer good =
        job.task(1, 4, StoreSamples.task(7, 1, TaskState.SUCCEEDED), TaskState.WAITING, null);
    assertEquals("succeeded", good.state());
    assertEquals(1, good.task());
    assertEquals(4, good.arrayIndex());
    JobAnswer waiting = job.task(2, null, null, TaskState.WAITING, null);
    assertEquals("waiting", waiting.state());
    assertNull(waiting.startedAt());
    assertNull(waiting.exitCode());
  }

  @Test
  void what_a_signal_ended_has_its_number_as_a_job_and_as_a_task() {
    JobRow row = StoreSamples.row(StoreSamples.spec(7, 1), TaskState.CANCELLED, 9000);
    JobAnswer job = JobAnswer.of(row);
    assertNull(job.signal());
    assertEquals(15, job.with(LiveJobProgress.ended(Map.of(), new TreeSet<>(), 15, null)).signal());
    TaskEnd end = new TaskEnd(TaskEnd.Kind.ON_REQUEST, null, 15, "time limit", null, null, null);
    TaskRow over = StoreSamples.task(7, 0, TaskState.FAILED, end);
    assertEquals(15, job.task(0, null, over, TaskState.WAITING, null).signal());
    TaskRow again = StoreSamples.task(7, 0, TaskState.RUNNING, end);
    assertNull(job.task(0, null, again, TaskState.WAITING, null).signal());
  }

  @Test
  void how_long_it_ran_is_measured_and_a_running_task_has_what_was_told_of_it() {
    JobRow row = StoreSamples.row(StoreSamples.spec(7, 1), TaskState.SUCCEEDED, 9000);
    JobAnswer job = JobAnswer.of(row);
    assertNull(job.ranMillis());
    LiveJobProgress view = LiveJobProgress.ended(Map.of(), new TreeSet<>(), null, 30_000L);
    assertEquals(30_000L, job.with(view).ranMillis());
    TaskRow over = StoreSamples.task(7, 0, TaskState.SUCCEEDED);
    assertEquals(7L, job.task(0, null, over, TaskState.WAITING, null).ranMillis());
    TaskUse told = new TaskUse(40_000L, null, null, null, null, null);
    TaskRow runs = StoreSamples.task(7, 0, TaskState.RUNNING);
    assertEquals(40_000L, job.task(0, null, runs, TaskState.WAITING, told).ranMillis());
    assertNull(job.task(0, null, runs, TaskState.WAITING, null).ranMillis());
    JobRow waits = StoreSamples.row(StoreSamples.spec(7, 1), TaskState.WAITING, 0);
    assertNull(JobAnswer.of(waits).with(view).ranMillis());
  }
}
