package io.remuda.coordinator.registry.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlaceIndexTest {
  private static final Optional<JobType> TRAIN = Optional.of(new JobType("ann", "train"));
  private static final TaskId FIRST = new TaskId(new JobId(1), 0);
  private static final TaskId SECOND = new TaskId(new JobId(1), 1);

  private final PlaceIndex index = new PlaceIndex();

  private static PlacedTask placed(TaskId id, String node, long slot, long gpuMemory) {
    PendingTask waiting = (PendingTask) TaskRecord.first(id, TaskState.WAITING, 0);
    return waiting.placed(Place.at(node, List.of(), slot, gpuMemory), 1);
  }

  @Test
  void tasks_are_found_by_node_and_slot_until_they_leave() {
    PlacedTask first = placed(FIRST, "n1", 7, 0);
    PlacedTask second = placed(SECOND, "n1", 7, 0);
    index.entered(second, Optional.empty(), false);
    index.entered(first, Optional.empty(), false);
    assertEquals(List.of(FIRST, SECOND), List.copyOf(index.at("n1")));
    assertEquals(List.of(FIRST, SECOND), List.copyOf(index.inSlot(7)));
    index.left(first, Optional.empty());
    assertEquals(Set.of(SECOND), index.at("n1"));
    index.left(second, Optional.empty());
    assertEquals(Set.of(), index.inSlot(7));
    assertEquals(Set.of(), index.nodes());
  }

  @Test
  void each_change_of_a_node_has_a_new_version() {
    PlacedTask task = placed(FIRST, "n1", 7, 0);
    assertEquals(0, index.version("n1"));
    index.entered(task, Optional.empty(), false);
    long entered = index.version("n1");
    index.left(task, Optional.empty());
    assertTrue(entered > 0 && index.version("n1") > entered);
    assertEquals(0, index.version("n2"));
  }

  @Test
  void the_first_task_with_whole_devices_measures_its_type() {
    PlacedTask first = placed(FIRST, "n1", 7, ResourceRequest.AUTO);
    index.entered(placed(SECOND, "n1", 8, ResourceRequest.AUTO), TRAIN, false);
    index.entered(first, TRAIN, false);
    assertEquals(Map.of(TRAIN.get(), FIRST), index.measuring());
    index.left(first, TRAIN);
    assertEquals(Map.of(TRAIN.get(), SECOND), index.measuring());
  }

  @Test
  void neither_a_part_of_a_device_nor_a_silent_node_measures() {
    index.entered(placed(FIRST, "n1", 7, 1 << 20), TRAIN, false);
    PlacedTask whole = placed(SECOND, "n1", 8, ResourceRequest.AUTO);
    index.entered((PlacedTask) whole.in(TaskState.UNKNOWN), TRAIN, false);
    assertEquals(Map.of(), index.measuring());
  }
}
