package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that start after one of several others. */
class AfterOneOfTest {

  private final TestCluster cluster = new TestCluster().commands().node("n1");

  @BeforeEach
  void two_jobs_run() {
    cluster.job(1, 1, 0).job(2, 1, 0).schedule();
    cluster.reported("n1", running("1.0.1"), running("2.0.1"));
  }

  private void submit(long id, ImmediateOrHeldStart start, String... after) {
    List<JobDependency> all = Stream.of(after).map(JobDependency::parse).toList();
    cluster.tasks.submit(
        new JobBuilder()
            .commands()
            .terms(
                JobTerms.USUAL.with(
                    draft -> {
                      draft.after = all;
                      draft.afterOne = true;
                    }))
            .spec(id, 1, new ResourceRequest(0, 0)),
        new LinkedHashSet<>(all),
        start,
        cluster.now());
  }

  private void submit(long id, String... after) {
    submit(id, ImmediateOrHeldStart.AT_ONCE, after);
  }

  private List<WaitReason> why(String task) {
    return cluster.tasks.whyWaiting(TaskId.parse(task), cluster.now());
  }

  @Test
  void it_starts_once_one_has_ended_as_it_should() {
    submit(3, "2", "1");
    assertEquals(
        List.of(
            new WaitReason.AfterOneOf(
                List.of(JobDependency.parse("1:ok"), JobDependency.parse("2:ok")))),
        why("3.0"));
    cluster.reported("n1", exited("1.0.1", 0), running("2.0.1")).schedule();
    assertEquals(TaskState.STARTING, cluster.state("3.0"));
  }

  @Test
  void the_end_of_another_one_changes_nothing_once_it_runs() {
    submit(3, "1", "2");
    cluster.reported("n1", exited("1.0.1", 0), running("2.0.1")).schedule();
    cluster.reported("n1", exited("2.0.1", 7), running("3.0.1")).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("3.0"));
  }

  @Test
  void one_that_ends_otherwise_leaves_the_others() {
    submit(3, "1", "2");
    cluster.reported("n1", exited("1.0.1", 7), running("2.0.1")).schedule();
    assertEquals(TaskState.SUBMITTED, cluster.state("3.0"));
    assertEquals(List.of(new WaitReason.AfterJob(JobDependency.parse("2:ok"))), why("3.0"));
    cluster.reported("n1", exited("2.0.1", 0)).schedule();
    assertEquals(TaskState.STARTING, cluster.state("3.0"));
  }

  @Test
  void it_is_cancelled_when_all_have_ended_and_none_as_it_should() {
    submit(3, "1", "2");
    cluster.jobAfter(4, "3:ok", 0);
    cluster.reported("n1", exited("1.0.1", 7), running("2.0.1")).schedule();
    cluster.reported("n1", exited("2.0.1", 8)).schedule();
    assertEquals(TaskState.CANCELLED, cluster.state("3.0"));
    assertEquals("none of jobs 1:ok, 2:ok ended that way", cluster.task("3.0").cause());
    assertEquals(TaskState.CANCELLED, cluster.state("4.0"));
  }

  @Test
  void one_job_may_be_named_with_several_outcomes() {
    submit(3, "1:ok", "1:fail", "2:ok");
    cluster.reported("n1", exited("1.0.1", 7), running("2.0.1")).schedule();
    assertEquals(TaskState.STARTING, cluster.state("3.0"));
  }

  @Test
  void on_hold_it_starts_only_when_it_is_released() {
    submit(3, ImmediateOrHeldStart.ON_HOLD, "1", "2");
    cluster.reported("n1", exited("1.0.1", 0), running("2.0.1")).schedule();
    assertEquals(TaskState.HELD, cluster.state("3.0"));
    cluster.reported("n1", exited("2.0.1", 7)).release(3).schedule();
    assertEquals(TaskState.STARTING, cluster.state("3.0"));
  }
}
