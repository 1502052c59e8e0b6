package io.remuda.coordinator.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobTerms;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What keeps jobs from starting is known again after a restart of the server. */
class StartGatesRestoreTest extends WithStoredRegistry {

  @Test
  void a_job_begins_at_its_time_though_the_server_was_down_then() throws Exception {
    submit(1, JobTerms.USUAL.withBegin(wallMillis() + 60_000));
    submit(1, JobTerms.USUAL.withBegin(wallMillis() + 120_000));
    restart();
    tick();
    assertEquals(TaskState.SUBMITTED, state("1.0"));
    after(Duration.ofSeconds(61));
    restart();
    tick();
    assertEquals(TaskState.STARTING, state("1.0"));
    assertEquals(TaskState.SUBMITTED, state("2.0"));
  }

  @Test
  void a_job_after_one_of_several_still_waits_for_the_others_after_a_restart() throws Exception {
    submit(1, JobTerms.USUAL);
    submit(1, JobTerms.USUAL);
    List<JobDependency> both = List.of(JobDependency.parse("1"), JobDependency.parse("2"));
    submit(
        1,
        JobTerms.USUAL.with(
            draft -> {
              draft.after = both;
              draft.afterOne = true;
            }));
    tick();
    report("1.0 runs", "2.0 runs");
    report("1.0 1", "2.0 runs");
    restart();
    report("2.0 runs");
    assertEquals(TaskState.SUBMITTED, state("3.0"));
    report("2.0 0");
    restart();
    tick();
    assertEquals(TaskState.STARTING, state("3.0"));
  }

  @Test
  void tasks_whose_predecessors_had_succeeded_start_after_a_restart() throws Exception {
    submit(3, JobTerms.USUAL);
    submit(3, JobTerms.USUAL.withAfter(List.of(JobDependency.parse("1:each"))));
    tick();
    report("1.0 runs", "1.1 runs", "1.2 runs");
    report("1.0 0", "1.1 1", "1.2 runs");
    restart();
    report("1.2 runs");
    tick();
    assertEquals(TaskState.STARTING, state("2.0"));
    assertEquals(TaskState.CANCELLED, state("2.1"));
    assertEquals(TaskState.SUBMITTED, state("2.2"));
    restart();
    report("1.2 0", "2.0 runs");
    tick();
    assertEquals(TaskState.STARTING, state("2.2"));
  }
}
