package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is left of a device's memory, while frameworks take their time and others come and go. */
class OfferBuilderTest {
  private static final long GIB = 1L << 30;
  private final TestCluster cluster = new TestCluster().commands();

  private static ResourceRequest part(long gib) {
    return new ResourceRequest(0, 1, 0, gib * GIB, null, Map.of());
  }

  /** A device of 80 GiB with two tasks that were promised 20 GiB each. */
  private TestCluster twoTasks() {
    cluster.nodeWithMemory("n1", 80 * GIB, "A");
    sampled(0, 0);
    return cluster
        .job(1, 2, part(20))
        .schedule()
        .reported("n1", running("1.0.1"), running("1.1.1"));
  }

  private void sampled(long usedGib, long reservedGib, DeviceProcess... processes) {
    DeviceSample sample =
        DeviceSampleBuilder.of(new DeviceId("A"), 0)
            .memTotal(80 * GIB)
            .memUsed(usedGib * GIB)
            .memReserved(reservedGib * GIB)
            .processes(List.of(processes))
            .build();
    cluster.nodes.sampled(
        new NodeSample(
            "n1", 1, 0, new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L), List.of(sample)));
  }

  private static DeviceProcess process(long pid, long gib, String task) {
    return new DeviceProcess(pid, gib * GIB, task);
  }

  private DeviceOffer device() {
    return cluster.tasks.offers(cluster.nodes.all(), cluster.now()).get(0).devices().get(0);
  }

  private long freeGib() {
    return device().freeMemory() / GIB;
  }

  @Test
  void what_was_promised_is_gone_before_it_is_allocated() {
    twoTasks();
    assertEquals(Standing.SHARED, device().standing());
    assertEquals(40, freeGib());
    sampled(0, 0);
    assertEquals(40, freeGib());
  }

  @Test
  void before_the_first_reading_a_device_is_lent_whole_but_not_in_parts() {
    cluster.nodeWithMemory("n1", 80 * GIB, "A", "B").job(1, 1, part(20)).job(2, 1, 1).schedule();
    assertEquals("-", cluster.place("1.0"));
    assertEquals("n1[A]", cluster.place("2.0"));
  }

  @Test
  void a_node_that_joins_again_is_read_again_before_more_of_its_devices_is_lent() {
    twoTasks();
    cluster.nodeWithMemory("n1", 80 * GIB, "A");
    assertEquals(0, freeGib());
    sampled(50, 0, process(1, 20, "1.0.1"), process(9, 30, null));
    assertEquals(80 - 20 - 20 - 30, freeGib());
  }

  @Test
  void a_task_that_uses_more_than_it_was_promised_counts_for_what_it_uses() {
    twoTasks();
    sampled(40, 0, process(1, 35, "1.0.1"), process(2, 5, "1.1.1"));
    assertEquals(80 - 35 - 20, freeGib());
  }

  @Test
  void what_strangers_and_the_driver_use_is_not_free() {
    twoTasks();
    sampled(30, 2, process(1, 10, "1.0.1"), process(9, 15, null));
    assertEquals(80 - 2 - 20 - 20 - 20, freeGib()); // 30 used less 10 of ours
  }

  @Test
  void what_a_stranger_uses_is_its_own_if_it_wants_a_lease_there() {
    twoTasks();
    sampled(30, 2, process(1, 10, "1.0.1"), process(8, 5, "7.0.1"), process(9, 15, null));
    assertEquals(Map.of(8L, 5 * GIB, 9L, 15 * GIB), device().ownMemory());
  }

  @Test
  void of_a_device_that_is_promised_too_much_less_is_its_own() {
    twoTasks();
    sampled(85, 0, process(1, 30, "1.0.1"), process(2, 25, "1.1.1"), process(9, 30, null));
    assertEquals(0, freeGib());
    assertEquals(Map.of(9L, 25 * GIB), device().ownMemory());
  }

  @Test
  void memory_that_a_task_has_left_behind_is_not_free_until_the_driver_says_so() {
    twoTasks();
    sampled(40, 0, process(1, 20, "1.0.1"), process(2, 20, "1.1.1"));
    cluster.reported("n1", exited("1.0.1", 0), running("1.1.1"));
    assertEquals(40, freeGib());
    sampled(20, 0, process(2, 20, "1.1.1"));
    assertEquals(60, freeGib());
  }

  private NodeOffer node() {
    return cluster.tasks.offers(cluster.nodes.all(), cluster.now()).get(0);
  }

  @Test
  void a_node_is_drained_with_its_reason_also_while_it_is_silent() {
    cluster.node("n1");
    cluster.nodes.drain("n1", drain -> drain.withNode(""));
    assertEquals(Presence.DRAINING, node().presence());
    assertNull(node().pause());
    cluster.nodes.drain("n1", drain -> drain.withNode("a new disk"));
    assertEquals(Presence.DRAINING, node().presence());
    assertEquals(new NodePause.Drained("a new disk"), node().pause());
    cluster.nodes.silent("n1", 1);
    assertEquals(Presence.SILENT, node().presence());
    assertEquals(new NodePause.Drained("a new disk"), node().pause());
    cluster.node("n1");
    assertEquals(new NodePause.Drained("a new disk"), node().pause());
    cluster.nodes.drain("n1", NodeDrain::withoutNode);
    assertEquals(Presence.READY, node().presence());
    assertNull(node().pause());
  }

  private static final DeviceId A = new DeviceId("A");

  @Test
  void a_drained_device_gets_no_task_and_the_others_of_its_node_do() {
    cluster.node("n1", "A", "B");
    cluster.nodes.drain("n1", drain -> drain.withGpu(A, "a fan"));
    cluster.job(1, 2, 1).schedule();
    assertEquals("n1[B]", cluster.place("1.0"));
    assertEquals("-", cluster.place("1.1"));
    assertEquals(Standing.DRAINING, device().standing());
    assertEquals("a fan", device().drained());
    cluster.node("n1", "A", "B").reported("n1", running("1.0.1")).schedule();
    assertEquals("-", cluster.place("1.1"), "also after it has joined again");
    cluster.nodes.drain("n1", drain -> drain.withoutGpu(A));
    cluster.schedule();
    assertEquals("n1[A]", cluster.place("1.1"));
  }

  @Test
  void what_has_a_device_that_is_drained_keeps_it_but_shares_it_with_no_more() {
    twoTasks();
    cluster.nodes.drain("n1", drain -> drain.withGpu(A, ""));
    cluster.job(2, 1, part(20)).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
    assertEquals("n1[A]", cluster.place("1.1"));
    assertEquals("-", cluster.place("2.0"));
    assertEquals(Standing.DRAINING, device().standing());
  }

  @Test
  void a_device_is_drained_for_all_nodes_that_see_it() {
    cluster.node("n1", "A").node("n2", "A");
    cluster.nodes.drain("n1", drain -> drain.withGpu(A, ""));
    cluster.job(1, 1, 1).schedule();
    assertEquals("-", cluster.place("1.0"));
    assertEquals(List.of("n1"), cluster.nodes.drainedOn(A));
  }

  @Test
  void a_task_that_lacks_a_drained_device_says_so_and_why_and_one_that_does_not_does_not() {
    cluster.node("n1", "A", "B", "C").node("n2", "D");
    cluster.nodes.drain("n1", drain -> drain.withGpu(A, "a fan").withGpu(new DeviceId("C"), ""));
    cluster.job(1, 1, 2).job(2, 1, new ResourceRequest(9, 0)).schedule();
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n1", 2, 1, 3),
            new WaitReason.GpusDraining("n1", List.of(A), "a fan"),
            new WaitReason.GpusDraining("n1", List.of(new DeviceId("C")), null),
            new WaitReason.TooFewFreeGpus("n2", 2, 1, 1)),
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()));
    assertFalse(
        cluster.tasks.whyWaiting(TaskId.parse("2.0"), cluster.now()).stream()
            .anyMatch(WaitReason.GpusDraining.class::isInstance));
  }

  @Test
  void a_whole_device_is_taken_whatever_it_uses() {
    cluster.nodeWithMemory("n1", 80 * GIB, "A").job(1, 1, 1).schedule();
    assertEquals(Standing.TAKEN, device().standing());
  }
}
