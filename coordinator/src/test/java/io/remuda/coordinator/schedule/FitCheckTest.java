package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can never run, whatever ends. A node has 4 cores and 1000 bytes, a device 100 bytes. */
class FitCheckTest {

  private static final Gang GANG = new Gang(new JobId(1), false, List.of());

  private static List<WaitReason> ever(NeedsBuilder needs, int atOnce, NodeBuilder... nodes) {
    List<NodeOffer> offers = Stream.of(nodes).map(NodeBuilder::offer).toList();
    return FitCheck.everRefused(offers, GANG, needs.request(), atOnce, PlacementPolicy.PACK);
  }

  @Test
  void what_fits_now_fits() {
    assertEquals(
        Optional.empty(), FitCheck.refusal(node("n1").capacity(), needs().cpus(4).request()));
  }

  @Test
  void tasks_in_the_way_are_no_reason() {
    NodeBuilder busy =
        node("n1", device("A").taken(), device("B").shared(1))
            .cpus(0, 4000)
            .memory(0, 1000)
            .slotsInUse(NodeOffer.MOST_TASKS);
    assertEquals(List.of(), ever(needs().cpus(4).memory(1000).gpus(2), 1, busy));
    assertEquals(List.of(), ever(needs().gpus(2).gpuMemory(100), 1, busy));
  }

  @Test
  void that_a_node_takes_none_just_now_is_no_reason() {
    for (Presence presence : Presence.values()) {
      assertEquals(List.of(), ever(needs().cpus(4), 1, node("n1").presence(presence)));
    }
    NodePause why = new NodePause.Failures(5, "no space", 100);
    assertEquals(List.of(), ever(needs().cpus(4), 1, node("n1").paused(why)));
  }

  @Test
  void devices_that_others_hold_or_that_are_lost_may_come_back() {
    assertEquals(
        List.of(),
        ever(needs().gpus(2), 1, node("n1", device("A").unfit(), device("B").heldBy("it"))));
  }

  @Test
  void each_node_says_what_it_lacks_even_when_empty() {
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeCpus("n1", 4001, 4000, 4000),
            new WaitReason.TooFewFreeCpus("n2", 4001, 2000, 2000)),
        ever(needs().cpus(4.001), 1, node("n2").cpus(0, 2000), node("n1").cpus(0, 4000)));
    assertEquals(
        List.of(new WaitReason.TooLittleMemory("n1", 1001, 1000, 1000)),
        ever(needs().memory(1001), 1, node("n1")));
    assertEquals(
        List.of(new WaitReason.TooLittleGpuMemory("n1", 101, 1, 0, 100, 100)),
        ever(needs().gpus(1).gpuMemory(101), 1, node("n1", device("A"))));
    assertEquals(
        List.of(new WaitReason.LacksLabel("n1", "zone", "a", null)),
        ever(needs().label("zone", "a"), 1, node("n1")));
    assertEquals(
        List.of(new WaitReason.LacksGpus("n1", ids("X"))),
        ever(needs().bound("X"), 1, node("n1", device("A"))));
  }

  @Test
  void one_node_that_could_is_enough() {
    assertEquals(
        List.of(),
        ever(
            needs().gpus(2),
            1,
            node("n1"),
            node("n2", device("A")),
            node("n3", device("B"), device("C"))));
  }

  @Test
  void a_task_never_spans_nodes() {
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n1", 2, 1, 1),
            new WaitReason.TooFewFreeGpus("n2", 2, 1, 1)),
        ever(needs().gpus(2), 1, node("n1", device("A")), node("n2", device("B"))));
  }

  @Test
  void without_nodes_there_is_nothing_to_say() {
    assertEquals(List.of(), ever(needs().cpus(1), 1));
    assertEquals(List.of(), ever(needs().cpus(1), 5));
  }

  @ParameterizedTest(name = "{1} at once of {0} cores each on 4 + 4 + 2 cores")
  @CsvSource({
    "1, 10, true",
    "1, 11, false",
    "2, 5, true",
    "2, 6, false",
    "3, 2, true",
    "3, 3, false",
    "4, 2, true",
    "4, 3, false"
  })
  void a_gang_needs_room_for_all_its_tasks(double cores, int atOnce, boolean fits) {
    List<WaitReason> reasons =
        ever(needs().cpus(cores), atOnce, node("n1"), node("n2"), node("n3").cpus(0, 2000));
    assertEquals(fits, reasons.isEmpty());
    if (!fits) {
      assertEquals(new WaitReason.GangIncomplete(atOnce, atOnce - 1), reasons.get(0));
      assertEquals(4, reasons.size(), "and one reason of each node");
    }
  }

  @Test
  void a_gang_of_which_only_one_fits_says_so() {
    assertEquals(
        List.of(
            new WaitReason.GangIncomplete(2, 1),
            new WaitReason.TooFewFreeCpus("n1", 3000, 1000, 4000)),
        ever(needs().cpus(3), 2, node("n1")));
  }

  @Test
  void a_gang_of_which_none_fits_says_only_what_the_nodes_lack() {
    assertEquals(
        List.of(new WaitReason.TooFewFreeCpus("n1", 5000, 4000, 4000)),
        ever(needs().cpus(5), 3, node("n1")));
  }

  @Test
  void nodes_of_one_machine_do_not_have_its_cores_twice() {
    assertEquals(
        List.of(
            new WaitReason.GangIncomplete(5, 4),
            new WaitReason.TooFewFreeCpus("n1", 1000, 0, 4000),
            new WaitReason.TooFewFreeCpus("n2", 1000, 0, 4000)),
        ever(needs().cpus(1), 5, node("n1").machine("m1"), node("n2").machine("m1")));
  }

  @Test
  void a_gang_shares_devices_if_its_tasks_want_parts() {
    NodeBuilder node = node("n1", device("A"), device("B"));
    assertEquals(List.of(), ever(needs().gpus(1).gpuMemory(50), 4, node));
    assertEquals(
        List.of(
            new WaitReason.GangIncomplete(5, 4),
            new WaitReason.TooLittleGpuMemory("n1", 50, 1, 0, 0, 100)),
        ever(needs().gpus(1).gpuMemory(50), 5, node));
    assertEquals(
        List.of(new WaitReason.GangIncomplete(3, 2), new WaitReason.TooManyOnGpus("n1", 1, 0)),
        ever(needs().gpus(1).gpuMemory(10).perGpu(1), 3, node));
  }

  @Test
  void whether_a_gang_fits_shared_devices_depends_on_how_it_is_placed() {
    List<NodeOffer> three = List.of(node("n1", device("A"), device("B"), device("C")).offer());
    ResourceRequest pairs = needs().gpus(2).perGpu(2).request();
    assertEquals(
        List.of(),
        FitCheck.everRefused(three, GANG, pairs, 3, PlacementPolicy.SPREAD),
        "A B, C A, and B C");
    assertEquals(
        new WaitReason.GangIncomplete(3, 2),
        FitCheck.everRefused(three, GANG, pairs, 3, PlacementPolicy.PACK).get(0),
        "A B, A B, and only C is left");
  }

  @Test
  void a_gang_of_more_tasks_than_a_node_may_have_never_fits_on_it() {
    assertEquals(List.of(), ever(needs(), NodeOffer.MOST_TASKS, node("n1")));
    assertEquals(
        List.of(
            new WaitReason.GangIncomplete(NodeOffer.MOST_TASKS + 1, NodeOffer.MOST_TASKS),
            new WaitReason.TooManyTasks("n1", NodeOffer.MOST_TASKS)),
        ever(needs(), NodeOffer.MOST_TASKS + 1, node("n1")));
  }
}
