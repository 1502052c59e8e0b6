package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BoundDeviceFilterTest {
  private final BoundDeviceFilter filter = new BoundDeviceFilter();

  private final RemainingNodeCapacity node =
      node(
              "n1",
              device("A"),
              device("B").shared(40).own(20),
              device("C").taken(),
              device("D").unfit(),
              device("E").free(90).load(1, 1, 0))
          .capacity();

  private Optional<WaitReason> refusal(NeedsBuilder needs) {
    return filter.refusal(node, needs.request());
  }

  private static Optional<WaitReason> lacks(String... devices) {
    return Optional.of(new WaitReason.LacksGpus("n1", ids(devices)));
  }

  private static Optional<WaitReason> noRoom(String... devices) {
    return Optional.of(new WaitReason.NoRoomOnGpus("n1", ids(devices)));
  }

  @Test
  void a_task_that_can_use_any_device_is_not_concerned() {
    assertEquals(Optional.empty(), refusal(needs().gpus(8)));
    assertEquals(Optional.empty(), refusal(needs().gpus(8).gpuMemory(1000)));
    assertEquals(Optional.empty(), refusal(needs()));
  }

  @Test
  void a_node_without_its_devices_names_those_that_are_missing() {
    assertEquals(lacks("X"), refusal(needs().bound("X")));
    assertEquals(lacks("Y", "X"), refusal(needs().bound("Y", "A", "X")));
    assertEquals(lacks("X"), refusal(needs().bound("C", "X")), "although C has no room either");
  }

  @Test
  void whole_devices_must_be_free() {
    assertEquals(Optional.empty(), refusal(needs().bound("A")));
    assertEquals(noRoom("B"), refusal(needs().bound("B")));
    assertEquals(noRoom("C"), refusal(needs().bound("C")));
    assertEquals(noRoom("D"), refusal(needs().bound("D")));
    assertEquals(noRoom("B", "C", "D"), refusal(needs().bound("D", "A", "C", "B")));
  }

  @Test
  void parts_need_memory_beside_what_the_process_already_has() {
    assertEquals(Optional.empty(), refusal(needs().bound("B").gpuMemory(60)));
    assertEquals(noRoom("B"), refusal(needs().bound("B").gpuMemory(61)));
    assertEquals(noRoom("B"), refusal(needs().bound("A", "B").gpuMemory(61)));
    assertEquals(Optional.empty(), refusal(needs().bound("A", "B").gpuMemory(60)));
  }

  @Test
  void parts_of_taken_and_lost_devices_cannot_be_had() {
    assertEquals(noRoom("C"), refusal(needs().bound("C").gpuMemory(1)));
    assertEquals(noRoom("D"), refusal(needs().bound("D").perGpu(2)));
  }

  @Test
  void the_limits_of_other_tasks_there_count() {
    assertEquals(noRoom("E"), refusal(needs().bound("E").gpuMemory(10)));
    assertEquals(noRoom("E"), refusal(needs().bound("A", "E")));
  }

  @Test
  void what_the_plan_has_lent_has_no_room() {
    node.take(needs().gpus(1).gpuMemory(50).request(), null, RemainingNodeCapacity.byIndex());
    assertEquals(noRoom("A"), refusal(needs().bound("A")));
    assertEquals(Optional.empty(), refusal(needs().bound("A").gpuMemory(50)));
    assertEquals(noRoom("A"), refusal(needs().bound("A").gpuMemory(51)));
  }

  @Test
  void a_user_reads_which_devices_it_waits_for() {
    assertEquals(
        "n1: does not have X, Y, and its process can use no other GPU",
        text(lacks("X", "Y").orElseThrow()));
    assertEquals(
        "n1: no room on C, and its process can use no other GPU", text(noRoom("C").orElseThrow()));
  }
}
