package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.killed;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Jobs that begin at a time, and jobs that follow others task by task. */
class StartGatesTest {

  private static final long TEN = 10_000;

  private final TestCluster cluster = new TestCluster().commands().node("n1");

  private JobSpec spec(long id, int tasks, JobTerms terms) {
    return new JobBuilder().commands().terms(terms).spec(id, tasks, new ResourceRequest(0, 0));
  }

  private void submit(long id, int tasks, JobTerms terms, ImmediateOrHeldStart start) {
    Set<JobDependency> open = Set.copyOf(terms.after());
    cluster.tasks.submit(spec(id, tasks, terms), open, start, cluster.now());
  }

  private void submitAfter(long id, int tasks, String... after) {
    JobTerms terms =
        JobTerms.USUAL.withAfter(Arrays.stream(after).map(JobDependency::parse).toList());
    submit(id, tasks, terms, ImmediateOrHeldStart.AT_ONCE);
  }

  private void at(long wallMillis) {
    cluster.tasks.begin(wallMillis, cluster.now());
    cluster.schedule();
  }

  private List<WaitReason> why(String task) {
    return cluster.tasks.whyWaiting(TaskId.parse(task), cluster.now());
  }

  private Map<String, TaskState> states(long job, int tasks) {
    return Stream.iterate(0, one -> one + 1)
        .limit(tasks)
        .collect(Collectors.toMap(one -> job + "." + one, one -> cluster.state(job + "." + one)));
  }

  @Test
  void a_job_begins_at_its_time_and_not_before() {
    submit(1, 2, JobTerms.USUAL.withBegin(TEN), ImmediateOrHeldStart.AT_ONCE);
    at(TEN - 1);
    assertEquals(TaskState.SUBMITTED, cluster.state("1.0"));
    assertEquals(List.of(new WaitReason.BeginsLater(TEN)), why("1.0"));
    at(TEN);
    assertEquals(TaskState.STARTING, cluster.state("1.1"));
  }

  @Test
  void a_job_on_hold_does_not_begin_and_one_released_early_waits_for_its_time() {
    submit(1, 1, JobTerms.USUAL.withBegin(TEN), ImmediateOrHeldStart.ON_HOLD);
    cluster.release(1);
    at(TEN - 1);
    assertEquals(TaskState.SUBMITTED, cluster.state("1.0"));
    cluster.hold(1);
    at(TEN);
    assertEquals(TaskState.HELD, cluster.state("1.0"));
    cluster.release(1).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
  }

  @Test
  void a_job_needs_its_time_and_the_jobs_before_it() {
    cluster.job(1, 1, 0).schedule();
    JobTerms terms = JobTerms.USUAL.withAfter(List.of(JobDependency.parse("1"))).withBegin(TEN);
    submit(2, 1, terms, ImmediateOrHeldStart.AT_ONCE);
    cluster.reported("n1", exited("1.0.1", 0)).schedule();
    assertEquals(List.of(new WaitReason.BeginsLater(TEN)), why("2.0"));
    at(TEN);
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
  }

  @Test
  void each_task_starts_once_the_one_of_its_number_has_succeeded() {
    cluster.job(1, 3, 0).schedule();
    submitAfter(2, 3, "1:each");
    cluster.schedule();
    assertEquals(List.of(new WaitReason.AfterJob(JobDependency.parse("1:each"))), why("2.1"));
    cluster.reported("n1", exited("1.1.1", 0), running("1.0.1"), running("1.2.1")).schedule();
    assertEquals(
        Map.of("2.0", TaskState.SUBMITTED, "2.1", TaskState.STARTING, "2.2", TaskState.SUBMITTED),
        states(2, 3));
  }

  @Test
  void a_task_whose_predecessor_failed_is_cancelled_and_the_others_go_on() {
    cluster.job(1, 3, 0).schedule();
    submitAfter(2, 3, "1:each");
    cluster.reported("n1", exited("1.0.1", 3), running("1.1.1"), running("1.2.1")).schedule();
    assertEquals(TaskState.CANCELLED, cluster.state("2.0"));
    assertEquals("task 1.0 failed", cluster.task("2.0").cause());
    cluster.reported("n1", exited("1.1.1", 0), exited("1.2.1", 0)).schedule();
    assertEquals(
        Map.of("2.0", TaskState.CANCELLED, "2.1", TaskState.STARTING, "2.2", TaskState.STARTING),
        states(2, 3));
  }

  @Test
  void what_waits_task_by_task_is_kept_by_its_other_dependencies_and_on_hold() {
    cluster.job(1, 2, 0).job(3, 1, 0).schedule();
    submitAfter(2, 2, "1:each", "3:ok");
    cluster.reported("n1", exited("1.0.1", 0), running("1.1.1"), running("3.0.1")).schedule();
    assertEquals(TaskState.SUBMITTED, cluster.state("2.0"));
    cluster.reported("n1", exited("3.0.1", 0), running("1.1.1"));
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
    cluster.hold(2).schedule();
    assertEquals(TaskState.HELD, cluster.state("2.0"));
    cluster.release(2).schedule();
    assertEquals(Map.of("2.0", TaskState.STARTING, "2.1", TaskState.SUBMITTED), states(2, 2));
  }

  @Test
  void the_rest_of_a_cancelled_array_takes_its_successors_along() {
    cluster.job(1, 2, 0).schedule();
    submitAfter(2, 2, "1:each");
    cluster.reported("n1", exited("1.0.1", 0), running("1.1.1")).schedule().cancel(1);
    cluster.reported("n1", killed("1.1.1"), running("2.0.1")).schedule();
    assertEquals(Map.of("2.0", TaskState.RUNNING, "2.1", TaskState.CANCELLED), states(2, 2));
  }

  @Test
  void several_predecessors_are_all_needed() {
    cluster.job(1, 2, 0).job(3, 2, 0).schedule();
    submitAfter(2, 2, "1:each", "3:each");
    cluster
        .reported("n1", exited("1.0.1", 0), running("1.1.1"), running("3.0.1"), exited("3.1.1", 0))
        .schedule();
    assertEquals(TaskState.SUBMITTED, cluster.state("2.0"));
    cluster.reported("n1", exited("3.0.1", 0), running("1.1.1")).schedule();
    assertEquals(Map.of("2.0", TaskState.STARTING, "2.1", TaskState.SUBMITTED), states(2, 2));
  }
}
