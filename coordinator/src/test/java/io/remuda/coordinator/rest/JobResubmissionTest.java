package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.request.ResubmitRequest;
import io.remuda.coordinator.store.StoredJobs;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobDependency.When;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are submitted again with those that were cancelled because of them. */
class JobResubmissionTest {

  @TempDir private Path folder;

  private static List<JobDependency> parsed(String... dependencies) {
    return Stream.of(dependencies).map(JobDependency::parse).toList();
  }

  private static void add(
      StoredJobs store, long id, JobTerms terms, List<JobDependency> open, String reason)
      throws Exception {
    JobSpec spec =
        new JobSpec(
            new JobId(id),
            new UUID(1, id),
            "job" + id,
            "ann",
            false,
            new ResourceRequest(1, 0),
            1,
            terms,
            List.of(new CommandWorkload(List.of("true"), Map.of(), "/", 022)));
    TaskState end = reason == null ? TaskState.FAILED : TaskState.CANCELLED;
    JobRow row = JobRow.submitted(spec, TaskState.SUBMITTED, open, null, 1);
    store.add(spec, row.moved(end, end, open, 3).because(reason, null));
  }

  private List<NewJob> again(long id) throws Exception {
    try (StoredJobs store = StoredJobs.open(folder)) {
      List<JobDependency> some = parsed("1", "2");
      List<JobDependency> other = parsed("2");
      add(store, 1, JobTerms.USUAL, List.of(), null);
      add(store, 2, JobTerms.USUAL, List.of(), null);
      String none = DependencyRule.noneMet(some);
      add(store, 3, JobTerms.USUAL.withAfterOne(some), parsed("2"), none);
      add(store, 4, JobTerms.USUAL.withAfter(parsed("3")), parsed("3"), "job 3 cancelled");
      String noneOfOthers = DependencyRule.noneMet(other);
      add(store, 5, JobTerms.USUAL.withAfterOne(other), other, noneOfOthers);
      Reply<List<NewJob>> jobs =
          JobResubmission.of(
              new JobId(id),
              new ResubmitRequest(null, true, null, null),
              new Caller("ann", false),
              store.reader());
      return ((Reply.Yes<?>) assertInstanceOf(Reply.Yes.class, jobs)).value()
              instanceof List<?> list
          ? list.stream().map(NewJob.class::cast).toList()
          : List.of();
    }
  }

  private static List<String> names(List<NewJob> jobs) {
    return jobs.stream().map(NewJob::name).toList();
  }

  @Test
  void a_job_that_waited_for_one_of_several_comes_after_all_of_them_again() throws Exception {
    List<NewJob> jobs = again(1);
    assertEquals(List.of("job1", "job3", "job4"), names(jobs));
    assertEquals(List.of(new NewJob.SiblingDependency(0, When.OK)), jobs.get(1).siblings());
    assertEquals(parsed("2"), jobs.get(1).terms().after());
    assertTrue(jobs.get(1).terms().afterOne());
    assertEquals(List.of(new NewJob.SiblingDependency(1, When.OK)), jobs.get(2).siblings());
  }

  @Test
  void each_of_the_jobs_that_it_waited_for_brings_it_along() throws Exception {
    assertEquals(List.of("job2", "job3", "job5", "job4"), names(again(2)));
  }
}
