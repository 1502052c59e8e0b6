package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.request.ResubmitRequest;
import io.remuda.coordinator.store.ReferencedStoredJobs;
import io.remuda.coordinator.store.StoreSamples;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobDependency.When;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import java.nio.file.Path;
import java.util.List;
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
      ReferencedStoredJobs store, long id, JobTerms terms, List<JobDependency> open, String reason)
      throws Exception {
    TaskState end = reason == null ? TaskState.FAILED : TaskState.CANCELLED;
    JobSpec spec = spec(id, terms, 1);
    JobRow row = JobRow.submitted(spec, TaskState.SUBMITTED, open, null, 1);
    store.add(spec, row.moved(end, end, open, 3).because(reason, null));
  }

  private static JobSpec spec(long id, JobTerms terms, int tasks) {
    return StoreSamples.spec(id, tasks).withTerms(terms);
  }

  private List<NewJob> again(long id) throws Exception {
    try (ReferencedStoredJobs store = ReferencedStoredJobs.open(folder)) {
      List<JobDependency> some = parsed("1", "2");
      List<JobDependency> other = parsed("2");
      add(store, 1, JobTerms.USUAL, List.of(), null);
      add(store, 2, JobTerms.USUAL, List.of(), null);
      String none = DependencyRule.noneMet(some);
      add(
          store,
          3,
          JobTerms.USUAL.with(
              draft -> {
                draft.after = some;
                draft.afterOne = true;
              }),
          parsed("2"),
          none);
      add(store, 4, JobTerms.USUAL.withAfter(parsed("3")), parsed("3"), "job 3 cancelled");
      String noneOfOthers = DependencyRule.noneMet(other);
      add(
          store,
          5,
          JobTerms.USUAL.with(
              draft -> {
                draft.after = other;
                draft.afterOne = true;
              }),
          other,
          noneOfOthers);
      Reply<List<NewJob>> jobs =
          JobResubmission.of(
              new JobId(id),
              new ResubmitRequest(null, null, null, true, null, null),
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

  private Reply<List<NewJob>> some(ResubmitRequest request) throws Exception {
    try (ReferencedStoredJobs store = ReferencedStoredJobs.open(folder)) {
      JobSpec spec = spec(7, JobTerms.USUAL, 5);
      JobRow row = JobRow.submitted(spec, TaskState.SUBMITTED, List.of(), null, 1);
      TaskState end = TaskState.CANCELLED;
      store.add(spec, row.moved(end, end, List.of(), 3).because("cancelled by ann", null));
      return JobResubmission.of(new JobId(7), request, new Caller("ann", false), store.reader());
    }
  }

  private static ResubmitRequest tasks(String numbers) {
    return new ResubmitRequest(null, null, numbers, null, null, null);
  }

  @Test
  void named_tasks_run_again_in_ascending_order_and_know_which_they_are() throws Exception {
    Reply<List<NewJob>> reply = some(tasks("3,1"));
    NewJob job =
        assertInstanceOf(Reply.Yes.class, reply).value() instanceof List<?> jobs
            ? (NewJob) jobs.get(0)
            : null;
    assertEquals(2, job.tasks().size());
    assertEquals(
        List.of("1", "3"),
        Stream.of(0, 1)
            .map(job.terms().array().sweep()::parameters)
            .map(one -> one.variables().get("REMUDA_TASK_INDEX"))
            .toList());
  }

  @Test
  void a_task_that_there_is_not_is_refused_and_so_are_two_ways_to_say_which() throws Exception {
    assertEquals(
        "tasks: there is no task 7.5: job 7 has 5",
        assertThrows(IllegalArgumentException.class, () -> some(tasks("2-5"))).getMessage());
    Reply<List<NewJob>> two = some(new ResubmitRequest(null, true, "1", null, null, null));
    assertEquals(
        "only one of failed, unsuccessful and tasks says which",
        assertInstanceOf(Reply.No.class, two).rejection().message());
  }

  @Test
  void what_was_cancelled_has_not_failed_but_did_not_succeed() throws Exception {
    Reply<List<NewJob>> failed = some(new ResubmitRequest(true, null, null, null, null, null));
    assertEquals(
        "no task of job 7 has failed",
        assertInstanceOf(Reply.No.class, failed).rejection().message());
    Reply<List<NewJob>> all = some(new ResubmitRequest(null, true, null, null, null, null));
    assertInstanceOf(Reply.Yes.class, all);
  }
}
