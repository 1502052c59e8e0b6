package io.remuda.coordinator.schedule.model;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemainingClusterCapacityTest {
  private static final ResourceRequest CORE = needs().cpus(1).memory(100).request();

  private static void take(RemainingNodeCapacity node, ResourceRequest needs) {
    node.take(needs, null, RemainingNodeCapacity.byIndex());
  }

  private static List<String> names(RemainingClusterCapacity cluster) {
    return cluster.all().stream().map(RemainingNodeCapacity::name).toList();
  }

  @Test
  void nodes_stand_in_the_natural_order_of_their_names() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(
                node("n10").offer(), node("m3").offer(), node("n9").offer(), node("n1").offer()));
    assertEquals(List.of("m3", "n1", "n9", "n10"), names(cluster));
  }

  @Test
  void a_node_that_is_added_is_the_last() {
    RemainingClusterCapacity cluster = RemainingClusterCapacity.of(List.of(node("n2").offer()));
    cluster.add(node("n1").offer());
    assertEquals(List.of("n2", "n1"), names(cluster));
  }

  @Test
  void a_node_is_found_by_its_name_and_no_other() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(List.of(node("n1").offer(), node("n2").offer()));
    assertSame(cluster.all().iterator().next(), cluster.get("n1"));
    assertNull(cluster.get("n3"));
    assertEquals(List.of(), names(RemainingClusterCapacity.of(List.of())));
  }

  @Test
  void nodes_of_different_machines_share_nothing() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(node("n1", device("A")).offer(), node("n2", device("B")).offer()));
    take(cluster.get("n1"), needs().cpus(4).memory(1000).gpus(1).request());
    assertEquals(0, cluster.get("n1").freeCpus());
    assertEquals(4000, cluster.get("n2").freeCpus());
    assertEquals(1000, cluster.get("n2").freeMemory());
    assertEquals(1, cluster.get("n2").wholeGpus(null));
  }

  @Test
  void nodes_of_one_machine_share_its_cores_and_memory() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(node("n1").machine("m1").offer(), node("n2").machine("m1").offer()));
    take(cluster.get("n1"), CORE);
    assertEquals(3000, cluster.get("n2").freeCpus());
    assertEquals(900, cluster.get("n2").freeMemory());
    take(cluster.get("n2"), CORE);
    assertEquals(2000, cluster.get("n1").freeCpus());
    assertEquals(800, cluster.get("n1").freeMemory());
  }

  @Test
  void each_node_keeps_its_own_limit_within_a_machine() {
    Amount cpus = new Amount(6000, 8000);
    Amount memory = new Amount(1500, 2000);
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(
                node("n1").machine("m1", cpus, memory).offer(),
                node("n2").machine("m1", cpus, memory).offer()));
    take(cluster.get("n1"), needs().cpus(4).memory(1000).request());
    assertEquals(0, cluster.get("n1").freeCpus());
    assertEquals(0, cluster.get("n1").freeMemory());
    assertEquals(2000, cluster.get("n2").freeCpus(), "of its own 4 cores the machine has 2 left");
    assertEquals(500, cluster.get("n2").freeMemory());
  }

  @Test
  void of_what_nodes_say_about_their_machine_the_smaller_amount_counts() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(
                node("n1").machine("m1").cpus(3000, 4000).memory(400, 1000).offer(),
                node("n2").machine("m1").cpus(2000, 4000).memory(700, 1000).offer()));
    for (RemainingNodeCapacity node : cluster.all()) {
      assertEquals(2000, node.freeCpus(), node.name());
      assertEquals(400, node.freeMemory(), node.name());
    }
  }

  @Test
  void a_device_that_two_nodes_see_is_one_device() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(
                node("n1", device("A"), device("B")).machine("m1").offer(),
                node("n2", device("B"), device("C")).machine("m1").offer()));
    RemainingNodeCapacity second = cluster.get("n2");
    take(cluster.get("n1"), needs().gpus(2).request());
    assertEquals(1, second.wholeGpus(null));
    assertEquals(
        ids("C"), second.take(needs().gpus(1).request(), null, RemainingNodeCapacity.byIndex()));
  }

  @Test
  void parts_of_a_shared_device_count_on_both_nodes() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(node("n1", device("A")).offer(), node("n2", device("A")).offer()));
    take(cluster.get("n1"), needs().gpus(1).gpuMemory(70).request());
    assertEquals(30, cluster.get("n2").mostFreeGpuMemory(needs().gpus(1).request()));
    assertEquals(0, cluster.get("n2").wholeGpus(null));
    assertEquals(1, cluster.get("n2").gpusFor(needs().gpus(1).gpuMemory(30).request()));
  }

  @Test
  void a_device_kept_on_one_node_is_kept_on_the_other() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(node("n1", device("A")).offer(), node("n2", device("A")).offer()));
    cluster.get("n1").keep(ids("A"));
    assertEquals(0, cluster.get("n2").wholeGpus(null));
    assertEquals(1, cluster.get("n2").withKeptDevices().wholeGpus(null));
  }

  @Test
  void slots_belong_to_the_node_and_not_to_the_machine() {
    RemainingClusterCapacity cluster =
        RemainingClusterCapacity.of(
            List.of(
                node("n1").machine("m1").slotsInUse(NodeOffer.MOST_TASKS - 1).offer(),
                node("n2").machine("m1").offer()));
    take(cluster.get("n1"), needs().request());
    assertEquals(false, cluster.get("n1").takesMore());
    assertEquals(true, cluster.get("n2").takesMore());
  }
}
