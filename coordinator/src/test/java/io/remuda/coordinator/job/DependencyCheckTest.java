package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.IndexRanges;
import io.remuda.worker.job.sweep.Sweep;
import io.remuda.worker.job.sweep.SweepAxis;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that start after one of several others, when they are submitted. */
class DependencyCheckTest {

  /**
   * Job 1 is live, 2 has failed, 3 succeeded, 4 was removed, 6 was cancelled; there is no job 5.
   */
  private static final ReferencedStoredJobs STORED =
      new ReferencedStoredJobs(
          Map.of(),
          Map.of(
              new JobId(2), TaskState.FAILED,
              new JobId(3), TaskState.SUCCEEDED,
              new JobId(6), TaskState.CANCELLED),
          Set.of(new JobId(4)));

  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final DependencyCheck check =
      new DependencyCheck(
          tasks, new EndedJobEviction(tasks, new LiveJobLimiter(LiveJobLimits.NONE)));

  private static NewJob job(List<NewJob.SiblingDependency> siblings, String... after) {
    List<JobDependency> all = Stream.of(after).map(JobDependency::parse).toList();
    return new NewJob(
        "job",
        "ann",
        new ResourceRequest(1, 0),
        JobTerms.USUAL.with(
            draft -> {
              draft.after = all;
              draft.afterOne = true;
            }),
        new CommandWorkload(List.of("true"), Map.of(), "/", 022),
        1,
        false,
        null,
        siblings);
  }

  @BeforeEach
  void a_live_job() {
    tasks.submit(job(List.of()).numbered(new JobId(1), List.of()), 0);
  }

  /** An array with these indices; of a job that follows another task by task. */
  private static NewJob array(String indices, String... after) {
    IndexRanges given = IndexRanges.parse(indices);
    NewJob one = job(List.of());
    Sweep sweep = Sweep.of(List.of(new SweepAxis.Indices(given)));
    return new NewJob(
        one.name(),
        one.user(),
        one.request(),
        one.terms()
            .with(
                draft -> {
                  draft.array = new TaskArrayTerms(sweep, 0, 0, 0);
                  draft.after = Stream.of(after).map(JobDependency::parse).toList();
                  draft.afterOne = false;
                }),
        Collections.nCopies(given.size(), one.tasks().get(0)),
        1,
        false,
        false,
        null,
        List.of(),
        List.of());
  }

  /** Slurm pairs them by index, and here it is by place. */
  @Test
  void task_by_task_the_indices_are_the_same() {
    tasks.submit(array("0-3").numbered(new JobId(10), List.of()), 0);
    tasks.submit(array("1-4").numbered(new JobId(11), List.of()), 0);
    assertEquals("", refusal(array("0-3", "10:each")));
    assertEquals("", refusal(array("1-4", "11:each")));
    assertEquals(
        "after 10:each: task by task requires the same indices as its own, got 1 where it has 0:"
            + " give both the same --array",
        refusal(array("1-4", "10:each")));
    assertEquals(
        "after 11:each: task by task requires the same indices as its own, got 0 where it has 1:"
            + " give both the same --array",
        refusal(array("0-3", "11:each")));
  }

  private String refusal(NewJob job) {
    return check.neverStarts(job, STORED).map(Rejection::message).orElse("");
  }

  private String refusal(String... after) {
    return refusal(job(List.of(), after));
  }

  private Set<String> open(String... after) {
    return check.open(job(List.of(), after).terms(), STORED).stream()
        .map(JobDependency::toString)
        .collect(Collectors.toSet());
  }

  @Test
  void it_is_refused_when_all_have_ended_and_none_as_it_should() {
    assertEquals(
        "after one of 2:ok, 3:fail, 4:ok: job 2 failed, job 3 succeeded, job 4 is over and was"
            + " removed, so this would never start",
        refusal("2", "3:fail", "4"));
    assertEquals("after one of 6:ok: job 6 was cancelled, so this would never start", refusal("6"));
    assertEquals("", refusal("2", "1"));
    assertEquals("", refusal("2:any", "4"));
    assertEquals("after one of 1:ok, 5:ok: there is no job 5", refusal("1", "5"));
  }

  @Test
  void an_earlier_job_of_the_submission_is_one_more() {
    assertEquals(
        "", refusal(job(List.of(new NewJob.SiblingDependency(0, JobDependency.When.OK)), "2")));
  }

  @Test
  void it_waits_for_none_if_one_has_ended_as_it_should_and_else_for_those_that_have_not() {
    assertEquals(Set.of(), open("1", "3"));
    assertEquals(Set.of(), open("1", "2:fail"));
    assertEquals(Set.of("1:ok"), open("1", "2", "4"));
  }
}
