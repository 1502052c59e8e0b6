package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaxTasksPerNodeFilterTest {
  private static final ResourceRequest NOTHING = needs().request();

  private final MaxTasksPerNodeFilter filter = new MaxTasksPerNodeFilter();

  @ParameterizedTest(name = "a node with {0} tasks")
  @CsvSource({"0, true", "3999, true", "4000, false", "4001, false"})
  void a_node_takes_tasks_up_to_the_maximum(int inUse, boolean fits) {
    RemainingNodeCapacity node = node("n1").slotsInUse(inUse).capacity();
    assertEquals(fits, filter.refusal(node, NOTHING).isEmpty());
  }

  @Test
  void the_reason_names_the_maximum() {
    RemainingNodeCapacity node = node("n1").slotsInUse(NodeOffer.MOST_TASKS).capacity();
    WaitReason reason = filter.refusal(node, NOTHING).orElseThrow();
    assertEquals(new WaitReason.TooManyTasks("n1", 4000), reason);
    assertEquals("n1: has 4000 tasks, the maximum per node", text(reason));
  }

  @Test
  void a_task_that_needs_nothing_counts_as_one() {
    RemainingNodeCapacity node = node("n1").slotsInUse(NodeOffer.MOST_TASKS - 2).capacity();
    node.take(NOTHING, null, RemainingNodeCapacity.byIndex());
    assertEquals(Optional.empty(), filter.refusal(node, NOTHING));
    node.take(NOTHING, null, RemainingNodeCapacity.byIndex());
    assertEquals(
        Optional.of(new WaitReason.TooManyTasks("n1", 4000)), filter.refusal(node, NOTHING));
  }

  @Test
  void a_node_that_will_be_empty_takes_as_many_as_any() {
    RemainingNodeCapacity emptied =
        RemainingNodeCapacity.of(node("n1").slotsInUse(NodeOffer.MOST_TASKS).offer().emptied());
    assertEquals(Optional.empty(), filter.refusal(emptied, NOTHING));
  }
}
