package io.remuda.coordinator.registry.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.Plan.Placement;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class FailingNodesTest {
  private static final long SECOND = 1_000_000_000;

  private final FailingNodes nodes =
      new FailingNodes(new RetryPolicy.Avoidance(2, Duration.ofSeconds(5), Duration.ofSeconds(20)));

  private static Placement on(String node, String task) {
    return new Placement(TaskId.parse(task), node, List.of());
  }

  /** Tasks of job 1 start together. */
  private List<Placement> admitted(long now, Placement... planned) {
    Predicate<Placement> admission =
        nodes.admission(List.of(planned), task -> task.job().value() == 1, now);
    return List.of(planned).stream().filter(admission).toList();
  }

  private void fails(String node, long now) {
    nodes.failed(node, "no space left", now);
  }

  @Test
  void one_failure_is_no_reason_to_avoid_a_node() {
    fails("n1", 0);
    assertEquals(Optional.empty(), nodes.pause("n1", 0));
    assertEquals(List.of(on("n1", "2.0")), admitted(0, on("n1", "2.0")));
  }

  @Test
  void after_its_pause_a_node_admits_one_trial_task() {
    fails("n1", 0);
    fails("n1", 0);
    assertEquals(
        Optional.of(new NodePause.Failures(2, "no space left", 5000)), nodes.pause("n1", 0));
    assertEquals(List.of(), admitted(SECOND, on("n1", "2.0")));
    long after = 5 * SECOND;
    assertEquals(List.of(on("n1", "2.0")), admitted(after, on("n1", "2.0"), on("n1", "2.1")));
    assertEquals(List.of(), admitted(after + SECOND, on("n1", "2.1")));
    nodes.begun("n1");
    assertTrue(nodes.areNone());
  }

  @Test
  void each_failed_trial_doubles_the_pause_up_to_the_longest() {
    fails("n1", 0);
    long now = 0;
    for (long millis : List.of(5000, 10_000, 20_000, 20_000)) {
      fails("n1", now);
      assertEquals(millis, ((NodePause.Failures) nodes.pause("n1", now).get()).millis());
      now += millis * 1_000_000;
      assertEquals(1, admitted(now, on("n1", "2.0")).size());
    }
  }

  @Test
  void a_gang_is_admitted_as_a_whole_or_not_at_all() {
    fails("n1", 0);
    fails("n1", 0);
    Placement beside = on("n2", "2.0");
    assertEquals(List.of(beside), admitted(SECOND, on("n1", "1.0"), on("n2", "1.1"), beside));
    Placement[] gang = {on("n1", "1.0"), on("n1", "1.1")};
    assertEquals(List.of(gang), admitted(5 * SECOND, gang), "both are the trial");
    assertEquals(List.of(), admitted(6 * SECOND, on("n1", "3.0")));
  }
}
