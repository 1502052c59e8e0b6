package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskArrayTerms;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An array gives up once so many of its tasks have failed. */
class MaxFailsTest {
  private static final JobId ONE = new JobId(1);
  private static final ResourceRequest A_CORE = new ResourceRequest(1, 0);
  private final TestCluster cluster = new TestCluster().commands().node("n1");

  private static JobTerms giveUpAfter(int fails) {
    return JobTerms.USUAL
        .with(draft -> draft.maxRunning = 3)
        .withArray(new TaskArrayTerms(null, fails, 0, 0));
  }

  private List<TaskState> first(int tasks) {
    return cluster.tasks.of(ONE).subList(0, tasks).stream().map(task -> task.state()).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 5000})
  void the_others_are_cancelled_once_enough_have_failed(int tasks) {
    cluster.terms(giveUpAfter(2)).job(1, tasks, A_CORE).schedule();
    cluster.reported("n1", exited("1.0.1", 3), running("1.1.1"), running("1.2.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.4"));
    cluster.reported("n1", exited("1.1.1", 4), running("1.2.1"));
    assertEquals(
        List.of(
            TaskState.FAILED,
            TaskState.FAILED,
            TaskState.ENDING,
            TaskState.CANCELLED,
            TaskState.CANCELLED),
        first(5));
    cluster.reported("n1", left("1.2.1"));
    assertEquals(TaskState.FAILED, cluster.tasks.stateOf(ONE).orElseThrow());
    assertEquals(
        "1.0: exit code 3; 2 tasks failed, as many as --max-fails allows: the others are cancelled",
        cluster.tasks.live(ONE).orElseThrow().reason(TaskState.FAILED));
    assertEquals(
        "2 tasks failed, as many as --max-fails allows", cluster.tasks.of(ONE).get(4).cause());
  }

  @Test
  void what_ended_by_itself_meanwhile_has_the_state_of_its_exit_code() {
    cluster.terms(giveUpAfter(1)).job(1, 5, A_CORE).schedule();
    cluster.reported("n1", exited("1.0.1", 3), running("1.1.1"), exited("1.2.1", 0));
    cluster.reported("n1", exited("1.1.1", 0));
    assertEquals(
        List.of(
            TaskState.FAILED,
            TaskState.SUCCEEDED,
            TaskState.SUCCEEDED,
            TaskState.CANCELLED,
            TaskState.CANCELLED),
        first(5));
  }

  @Test
  void an_array_goes_on_without_such_a_limit() {
    cluster.terms(giveUpAfter(0)).job(1, 5, A_CORE).schedule();
    cluster.reported("n1", exited("1.0.1", 3), exited("1.1.1", 4), running("1.2.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.4"));
  }
}
