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

class HeldDeviceFilterTest {
  private static final String OTHER = "it is kept by process 7";

  private final HeldDeviceFilter filter = new HeldDeviceFilter();

  /** A is free, B and C are held, D is an A100. */
  private final RemainingNodeCapacity node =
      node(
              "n1",
              device("A"),
              device("B").heldBy(OTHER),
              device("C").heldBy("it is kept by process 8"),
              device("D").model("NVIDIA A100"))
          .capacity();

  private Optional<WaitReason> refusal(NeedsBuilder needs) {
    return filter.refusal(node, needs.request());
  }

  private static Optional<WaitReason> held(String by, String... devices) {
    return Optional.of(new WaitReason.GpusHeldByOthers("n1", ids(devices), by));
  }

  @Test
  void a_task_without_gpus_is_not_concerned() {
    RemainingNodeCapacity allHeld = node("n1", device("A").heldBy(OTHER)).capacity();
    assertEquals(Optional.empty(), filter.refusal(allHeld, needs().cpus(1).request()));
  }

  @Test
  void as_many_as_are_not_held_can_be_had() {
    assertEquals(Optional.empty(), refusal(needs().gpus(1)));
    assertEquals(Optional.empty(), refusal(needs().gpus(2)));
    assertEquals(held(OTHER, "B", "C"), refusal(needs().gpus(3)));
    assertEquals(held(OTHER, "B", "C"), refusal(needs().gpus(4)));
  }

  @Test
  void a_node_that_has_too_few_anyway_is_not_refused_for_what_is_held() {
    assertEquals(Optional.empty(), refusal(needs().gpus(5)));
  }

  @Test
  void only_devices_of_the_model_count() {
    assertEquals(Optional.empty(), refusal(needs().gpus(1).model("h200")));
    assertEquals(held(OTHER, "B", "C"), refusal(needs().gpus(2).model("h200")));
    assertEquals(Optional.empty(), refusal(needs().gpus(1).model("a100")));
    assertEquals(Optional.empty(), refusal(needs().gpus(2).model("a100")));
  }

  @Test
  void only_devices_that_a_process_is_bound_to_count() {
    assertEquals(Optional.empty(), refusal(needs().bound("A")));
    assertEquals(Optional.empty(), refusal(needs().bound("A", "D")));
    assertEquals(held(OTHER, "B"), refusal(needs().bound("A", "B")));
    assertEquals(held("it is kept by process 8", "C"), refusal(needs().bound("C")));
    assertEquals(Optional.empty(), refusal(needs().bound("C", "X")), "X is the matter of another");
  }

  @Test
  void parts_of_a_held_device_are_held_too() {
    assertEquals(held(OTHER, "B", "C"), refusal(needs().gpus(3).gpuMemory(1)));
    assertEquals(held(OTHER, "B", "C"), refusal(needs().gpus(3).perGpu(4)));
  }

  @Test
  void a_device_in_use_by_tasks_or_lost_is_not_held() {
    RemainingNodeCapacity busy =
        node("n1", device("A").taken(), device("B").shared(10), device("C").unfit()).capacity();
    assertEquals(Optional.empty(), filter.refusal(busy, needs().gpus(3).request()));
  }

  @Test
  void a_user_reads_which_process_holds_it() {
    assertEquals(
        "n1: B, C cannot be used: it is kept by process 7",
        text(held(OTHER, "B", "C").orElseThrow()));
  }
}
