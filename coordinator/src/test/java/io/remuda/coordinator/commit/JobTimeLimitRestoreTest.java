package io.remuda.coordinator.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time limit of a whole job counts from its first start, also over restarts of the server. */
class JobTimeLimitRestoreTest extends WithStoredRegistry {

  private static final JobId ONE = new JobId(1);

  @BeforeEach
  void aJobOfAMinute() throws InterruptedException {
    submit(1, JobTerms.USUAL.with(draft -> draft.jobTimeLimitMillis = 60_000));
  }

  private void leaves() throws InterruptedException {
    publish(tasks.requests().leave(ONE, "requeued", now()));
    TaskEnd left = TaskEnd.because(TaskEnd.Kind.ON_REQUEST, "no longer wanted");
    publish(tasks.reported("n1", List.of(of("1.0", TaskPhase.ENDED, left)), 9, now()));
    assertEquals(TaskState.WAITING, tasks.stateOf(ONE).orElseThrow());
  }

  private TaskState afterTick() throws InterruptedException {
    publish(tasks.tick(now()));
    return tasks.stateOf(ONE).orElseThrow();
  }

  @Test
  void a_task_that_waits_again_has_begun_before_the_restart() throws Exception {
    schedule();
    report("1.0 runs");
    after(Duration.ofSeconds(20));
    leaves();
    restart();
    after(Duration.ofSeconds(40));
    assertEquals(TaskState.WAITING, afterTick());
    after(Duration.ofMillis(1));
    assertEquals(TaskState.FAILED, afterTick());
    assertEquals(
        "time limit of the job, 1 min, passed",
        tasks.live(ONE).orElseThrow().reason(TaskState.FAILED));
  }

  @Test
  void a_second_start_does_not_begin_it_again() throws Exception {
    schedule();
    report("1.0 runs");
    after(Duration.ofSeconds(20));
    leaves();
    after(Duration.ofSeconds(20));
    schedule();
    report("1.0 runs");
    restart();
    report("1.0 runs");
    after(Duration.ofSeconds(20));
    assertEquals(TaskState.RUNNING, afterTick());
    after(Duration.ofMillis(1));
    assertEquals(TaskState.ENDING, afterTick());
  }

  @Test
  void a_task_that_has_only_been_placed_has_not_begun() throws Exception {
    schedule();
    restart();
    after(Duration.ofHours(1));
    report("1.0 runs");
    assertEquals(TaskState.RUNNING, afterTick());
  }
}
