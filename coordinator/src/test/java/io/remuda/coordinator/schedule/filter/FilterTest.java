package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.NodeBuilder;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The filters together: which reason a user hears of a node that lacks several things. */
class FilterTest {

  /** Nothing of it will do: each test mends what the tests before it were about. */
  private static NodeBuilder badNode() {
    return node("n1", device("A").heldBy("process 7"), device("B").shared(10))
        .presence(Presence.SILENT)
        .slotsInUse(NodeOffer.MOST_TASKS)
        .cpus(0, 4000)
        .memory(0, 1000);
  }

  private static NeedsBuilder much() {
    return needs().cpus(1).memory(1).gpus(2).gpuMemory(20).label("zone", "a");
  }

  private static Optional<WaitReason> first(NodeBuilder node, NeedsBuilder needs) {
    return Filter.firstRefusal(node.capacity(), needs.request());
  }

  @Test
  void every_filter_of_a_node_is_applied_once() {
    assertEquals(
        List.of(
            NodeReadyFilter.class,
            NameFilter.class,
            LabelFilter.class,
            HeldDeviceFilter.class,
            BoundDeviceFilter.class,
            GpuFilter.class,
            GpuMemoryFilter.class,
            MaxTasksPerNodeFilter.class,
            CpuFilter.class,
            MemoryFilter.class,
            CountedResourceFilter.class),
        Filter.ALL.stream().map(Object::getClass).toList());
  }

  @Test
  void that_a_node_takes_no_tasks_is_said_before_what_it_lacks() {
    assertEquals(Optional.of(new WaitReason.NodeSilent("n1")), first(badNode(), much()));
  }

  @Test
  void labels_are_named_before_devices() {
    assertEquals(
        Optional.of(new WaitReason.LacksLabel("n1", "zone", "a", null)),
        first(badNode().presence(Presence.READY), much()));
  }

  @Test
  void a_device_that_others_hold_is_named_before_its_memory() {
    assertEquals(
        Optional.of(new WaitReason.GpusHeldByOthers("n1", ids("A"), "process 7")),
        first(badNode().presence(Presence.READY).label("zone", "a"), much()));
  }

  @Test
  void devices_that_a_process_lacks_are_named_before_how_many_are_free() {
    assertEquals(
        Optional.of(new WaitReason.LacksGpus("n1", ids("X", "Y", "Z"))),
        first(badNode().presence(Presence.READY), needs().cpus(1).bound("X", "Y", "Z")));
  }

  @Test
  void devices_are_named_before_cores_and_memory() {
    NodeBuilder node = badNode().presence(Presence.READY);
    assertEquals(
        Optional.of(new WaitReason.TooFewFreeGpus("n1", 3, 0, 2)),
        first(node, needs().cpus(1).gpus(3)));
    assertEquals(
        Optional.of(new WaitReason.TooLittleGpuMemory("n1", 20, 1, 0, 10, 100)),
        first(node, needs().cpus(1).gpus(1).gpuMemory(20)));
  }

  @Test
  void the_number_of_tasks_is_named_before_cores_and_cores_before_memory() {
    NodeBuilder node = badNode().presence(Presence.READY);
    NeedsBuilder needs = needs().cpus(1).memory(1);
    assertEquals(
        Optional.of(new WaitReason.TooManyTasks("n1", NodeOffer.MOST_TASKS)), first(node, needs));
    assertEquals(
        Optional.of(new WaitReason.TooFewFreeCpus("n1", 1000, 0, 4000)),
        first(node.slotsInUse(0), needs));
    assertEquals(
        Optional.of(new WaitReason.TooLittleMemory("n1", 1, 0, 1000)),
        first(node.cpus(1000, 4000), needs));
    assertEquals(Optional.empty(), first(node.memory(1, 1000), needs));
  }

  @Test
  void a_node_that_has_all_is_refused_by_none() {
    NodeBuilder good = node("n1", device("A"), device("B").shared(20)).label("zone", "a");
    assertEquals(Optional.empty(), first(good, much()));
  }
}
