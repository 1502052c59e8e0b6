package io.remuda.coordinator.schedule.model;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Devices have 100, of which an idle one has at least 96 free. */
class RemainingNodeCapacityTest {
  private static final JobType TRAIN = type("train");
  private static final ResourceRequest WHOLE = needs().gpus(1).request();

  private static ResourceRequest part(long bytes) {
    return needs().gpus(1).gpuMemory(bytes).request();
  }

  /** One device of each standing. */
  private static RemainingNodeCapacity mixed() {
    return node(
            "n1",
            device("A"),
            device("B").shared(40),
            device("C").taken(),
            device("D").unfit().free(70),
            device("E").model("NVIDIA A100").memory(60, 60))
        .capacity();
  }

  /** One GPU of a model. */
  private static ResourceRequest of(String model) {
    return needs().gpus(1).model(model).request();
  }

  @Test
  void only_free_devices_can_be_had_whole_and_all_are_counted_by_model() {
    assertEquals(2, mixed().wholeGpus(null));
    assertEquals(1, mixed().wholeGpus("h200"));
    assertEquals(1, mixed().wholeGpus("a100"));
    assertEquals(0, mixed().wholeGpus("h100"));
    assertEquals(5, mixed().gpusOf(of(null)));
    assertEquals(4, mixed().gpusOf(of("h200")));
    assertEquals(0, mixed().gpusOf(of("h100")));
  }

  @Test
  void only_free_and_shared_devices_have_memory_for_parts() {
    assertEquals(3, mixed().gpusWithMemoryFor(part(40)));
    assertEquals(2, mixed().gpusWithMemoryFor(part(41)));
    assertEquals(1, mixed().gpusWithMemoryFor(part(61)));
    assertEquals(0, mixed().gpusWithMemoryFor(part(101)));
    assertEquals(200, mixed().freeGpuMemory());
  }

  @Test
  void the_most_that_is_free_and_the_largest_device_go_by_model() {
    assertEquals(100, mixed().mostFreeGpuMemory(of(null)));
    assertEquals(60, mixed().mostFreeGpuMemory(of("a100")));
    assertEquals(0, mixed().mostFreeGpuMemory(of("h100")));
    assertEquals(100, mixed().largestGpu(of(null)));
    assertEquals(60, mixed().largestGpu(of("a100")));
    assertEquals(0, mixed().largestGpu(of("h100")));
  }

  @Test
  void what_a_part_leaves_is_least_on_the_fullest_device_that_takes_it() {
    assertEquals(10, mixed().leastLeftBy(part(30)));
    assertEquals(0, mixed().leastLeftBy(part(40)));
    assertEquals(19, mixed().leastLeftBy(part(41)));
    assertEquals(Long.MAX_VALUE, mixed().leastLeftBy(part(101)));
  }

  @Test
  void taking_a_task_takes_all_that_it_needs() {
    RemainingNodeCapacity node = mixed();
    ResourceRequest needs = needs().cpus(1.5).memory(300).gpus(1).gpuMemory(30).request();
    assertEquals(ids("B"), node.take(needs, null, DeviceOrder.fullestFirst()));
    assertEquals(2500, node.freeCpus());
    assertEquals(700, node.freeMemory());
    assertEquals(170, node.freeGpuMemory());
    assertEquals(2, node.gpusWithMemoryFor(part(11)));
    assertEquals(3, node.gpusWithMemoryFor(part(10)));
  }

  @Test
  void parts_go_to_the_device_that_the_order_names_first() {
    assertEquals(ids("B"), mixed().take(part(10), null, DeviceOrder.fullestFirst()));
    assertEquals(ids("A"), mixed().take(part(10), null, DeviceOrder.emptiestFirst()));
    assertEquals(ids("A"), mixed().take(part(10), null, RemainingNodeCapacity.byIndex()));
    assertEquals(ids("E"), mixed().take(part(50), null, DeviceOrder.fullestFirst()));
    ResourceRequest three = needs().gpus(3).gpuMemory(10).request();
    assertEquals(ids("B", "E", "A"), mixed().take(three, null, DeviceOrder.fullestFirst()));
    assertEquals(ids("A", "E", "B"), mixed().take(three, null, DeviceOrder.emptiestFirst()));
    assertEquals(ids("A", "B", "E"), mixed().take(three, null, RemainingNodeCapacity.byIndex()));
  }

  @Test
  void devices_that_are_alike_are_taken_by_their_index() {
    ResourceRequest two = needs().gpus(2).request();
    for (var order :
        List.of(
            DeviceOrder.fullestFirst(),
            DeviceOrder.emptiestFirst(),
            RemainingNodeCapacity.byIndex())) {
      RemainingNodeCapacity node = node("n1", device("C"), device("A"), device("B")).capacity();
      assertEquals(ids("C", "A"), node.take(two, null, order));
    }
  }

  @Test
  void a_whole_device_has_nothing_left_for_anyone() {
    RemainingNodeCapacity node = node("n1", device("A")).capacity();
    node.take(WHOLE, TRAIN, RemainingNodeCapacity.byIndex());
    assertEquals(0, node.wholeGpus(null));
    assertEquals(0, node.gpusFor(part(1)));
    assertEquals(0, node.freeGpuMemory());
    assertEquals(0, node.mostFreeGpuMemory(of(null)));
  }

  @Test
  void a_device_lent_in_parts_is_no_longer_whole() {
    RemainingNodeCapacity node = node("n1", device("A")).capacity();
    node.take(part(1), null, RemainingNodeCapacity.byIndex());
    assertEquals(0, node.wholeGpus(null));
    assertEquals(1, node.gpusFor(part(99)));
    assertEquals(0, node.gpusFor(part(100)));
  }

  @Test
  void of_an_idle_device_with_a_little_in_use_nothing_is_left_after_all_of_it_is_lent() {
    RemainingNodeCapacity node = node("n1", device("A").free(96)).capacity();
    assertEquals(1, node.gpusFor(part(100)));
    node.take(part(100), null, RemainingNodeCapacity.byIndex());
    assertEquals(0, node.gpusFor(part(1)));
    assertEquals(0, node.mostFreeGpuMemory(of(null)));
  }

  @Test
  void the_memory_that_a_bound_process_has_is_lent_to_it_once() {
    RemainingNodeCapacity node = node("n1", device("A").shared(10).own(30)).capacity();
    ResourceRequest bound = needs().bound("A").gpuMemory(25).request();
    assertEquals(1, node.gpusFor(bound));
    assertEquals(15, node.leastLeftBy(bound));
    node.take(bound, null, RemainingNodeCapacity.byIndex());
    assertEquals(10, node.mostFreeGpuMemory(of(null)), "its own memory was enough");
    assertEquals(0, node.gpusFor(bound));
    assertEquals(1, node.gpusFor(part(10)));
  }

  @Test
  void a_bound_process_that_wants_more_than_it_has_takes_the_rest_from_the_device() {
    RemainingNodeCapacity node = node("n1", device("A").shared(10).own(30)).capacity();
    node.take(needs().bound("A").gpuMemory(36).request(), null, RemainingNodeCapacity.byIndex());
    assertEquals(4, node.mostFreeGpuMemory(of(null)));
  }

  @Test
  void a_part_of_another_leaves_a_bound_process_what_it_has() {
    RemainingNodeCapacity node = node("n1", device("A").shared(10).own(30)).capacity();
    node.take(part(10), null, RemainingNodeCapacity.byIndex());
    assertEquals(1, node.gpusFor(needs().bound("A").gpuMemory(30).request()));
    assertEquals(0, node.gpusFor(needs().bound("A").gpuMemory(31).request()));
  }

  @Test
  void devices_without_room_are_named_in_the_order_of_the_node() {
    assertEquals(ids("B", "C", "D"), mixed().gpusWithoutRoom(WHOLE, ids("D", "C", "B", "A", "X")));
    assertEquals(ids("C", "D"), mixed().gpusWithoutRoom(part(40), ids("D", "C", "B", "A")));
    assertEquals(List.of(), mixed().gpusWithoutRoom(WHOLE, ids("A", "E")));
  }

  @Test
  void a_kept_device_is_available_to_none_but_in_the_view_without_reservation() {
    RemainingNodeCapacity node = mixed();
    node.keep(ids("A", "B", "X"));
    assertEquals(1, node.wholeGpus(null));
    assertEquals(1, node.gpusFor(part(10)));
    RemainingNodeCapacity without = node.withKeptDevices();
    assertEquals(2, without.wholeGpus(null));
    assertEquals(3, without.gpusFor(part(10)));
    assertEquals(2, without.gpusFor(part(41)));
    assertEquals(1, node.wholeGpus(null), "the view changes nothing");
  }

  @Test
  void the_view_without_reservation_knows_what_the_plan_has_lent() {
    RemainingNodeCapacity node = node("n1", device("A"), device("B")).capacity();
    node.take(part(60), TRAIN, RemainingNodeCapacity.byIndex());
    node.keep(ids("A"));
    RemainingNodeCapacity without = node.withKeptDevices();
    assertEquals(1, without.gpusFor(needs().gpus(1).gpuMemory(41).request()));
    assertEquals(2, without.gpusFor(part(40)));
    assertEquals(Set.of(TRAIN), without.typesBeside(part(40)));
  }

  @Test
  void the_types_beside_a_task_are_those_on_devices_that_take_it() {
    RemainingNodeCapacity node =
        node(
                "n1",
                device("A").free(50).load(1, 0, 0, TRAIN),
                device("B").free(20).load(2, 0, 0, type("eval"), type("test")))
            .capacity();
    assertEquals(Set.of(TRAIN, type("eval"), type("test")), node.typesBeside(part(20)));
    assertEquals(Set.of(TRAIN), node.typesBeside(part(21)));
    assertEquals(Set.of(), node.typesBeside(part(51)));
  }

  @Test
  void a_view_apart_from_types_lacks_their_devices_and_shares_the_rest() {
    RemainingNodeCapacity node =
        node("n1", device("A").free(50).load(1, 0, 0, TRAIN), device("B")).capacity();
    assertSame(node, node.apartFrom(Set.of()));
    RemainingNodeCapacity view = node.apartFrom(Set.of(TRAIN));
    assertEquals(1, view.gpusOf(of(null)));
    assertEquals(ids("B"), view.take(part(30), TRAIN, DeviceOrder.fullestFirst()));
    assertEquals(120, node.freeGpuMemory());
    assertEquals(0, node.apartFrom(Set.of(TRAIN)).gpusOf(of(null)));
  }

  @Test
  void what_was_remembered_is_restored_in_every_respect() {
    RemainingNodeCapacity node = node("n1", device("A"), device("B").shared(50).own(20)).capacity();
    NodeCheckpoint before = node.remember();
    node.take(
        needs().cpus(1).memory(10).gpus(2).gpuMemory(20).perGpu(4).percent(60).request(),
        TRAIN,
        RemainingNodeCapacity.byIndex());
    node.take(
        needs().bound("B").gpuMemory(30).perGpu(3).request(),
        null,
        RemainingNodeCapacity.byIndex());
    assertFalse(before.equals(node.remember()));
    node.restore(before);
    assertEquals(before, node.remember());
    assertEquals(4000, node.freeCpus());
    assertEquals(1000, node.freeMemory());
    assertEquals(1, node.wholeGpus(null));
    assertEquals(150, node.freeGpuMemory());
    assertEquals(Set.of(), node.typesBeside(part(1)));
    assertEquals(1, node.gpusFor(needs().bound("B").gpuMemory(70).request()));
  }

  @Test
  void a_node_takes_no_more_tasks_than_it_has_slots() {
    RemainingNodeCapacity node = node("n1").slotsInUse(NodeOffer.MOST_TASKS - 1).capacity();
    assertTrue(node.takesMore());
    NodeCheckpoint before = node.remember();
    node.take(needs().request(), null, RemainingNodeCapacity.byIndex());
    assertFalse(node.takesMore());
    node.restore(before);
    assertTrue(node.takesMore());
  }
}
