package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.MigSlot;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Jobs on a node whose GPUs are also used by people who have not asked. */
class GpuStrangersTest {
  private static final long GIB = 1L << 30;
  private static final long TOLERATED = GIB / 4;
  private final TestCluster cluster = new TestCluster().commands();

  /** A node with two GPUs of 80 GiB, whose agent tells what it tolerates, or is an older one. */
  private void joins(Long tolerated) {
    HostInfo host = new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33);
    cluster.nodes.joined(
        "n1",
        host,
        new MachineFacts("m", 4, 1L << 33, tolerated, null),
        Stream.of("A", "B").map(GpuStrangersTest::gpu).toList(),
        "test",
        Map.of(),
        Map.of(),
        NodeAddressAndPorts.LOOPBACK,
        "127.0.0.1");
  }

  private static DeviceInfo gpu(String id) {
    return new DeviceInfo(
        new DeviceId(id), 0, DeviceVendor.NVIDIA, "H100", null, 80 * GIB, "driver");
  }

  private static DeviceSample reading(String id, long usedGib, List<DeviceProcess> processes) {
    return DeviceSampleBuilder.of(new DeviceId(id), 0)
        .memTotal(80 * GIB)
        .memUsed(usedGib * GIB)
        .memReserved(0L)
        .processes(processes)
        .build();
  }

  /** The node tells what is used of A; nobody uses B. Null for processes that were not read. */
  private void sampled(long usedGib, List<DeviceProcess> processes) {
    HostSample host = new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L);
    cluster.nodes.sampled(
        new NodeSample(
            "n1",
            1,
            0,
            host,
            List.of(reading("A", usedGib, processes), reading("B", 0, List.of()))));
  }

  private static DeviceProcess bobs(long gib) {
    return new DeviceProcess(4711, gib * GIB).ofStranger("bob", "python3");
  }

  private List<String> why(String task) {
    return WaitText.lines(cluster.tasks.whyWaiting(TaskId.parse(task), cluster.now()));
  }

  private DeviceOffer first() {
    return cluster.tasks.offers(cluster.nodes.all(), cluster.now()).get(0).devices().get(0);
  }

  @Test
  void a_job_goes_to_the_idle_gpu_and_the_next_waits_and_is_told_for_whom() {
    joins(TOLERATED);
    sampled(79, List.of(bobs(79)));
    cluster.job(1, 2, 1).schedule();
    assertEquals(List.of("n1[B]", "-"), cluster.places("1.0", "1.1"));
    assertEquals(
        List.of(
            "n1: 0 of 2 GPUs free, wanted 1",
            "n1: A is not lent whole: pid 4711 (python3) of bob uses 79.0 GiB; more than 256 MiB of"
                + " others (the node's stranger-memory)"),
        why("1.1"));
    sampled(0, List.of());
    cluster.schedule();
    assertEquals("n1[A]", cluster.place("1.1"));
  }

  @Test
  void the_processes_that_were_listed_last_count_between_two_lists() {
    joins(TOLERATED);
    sampled(79, List.of(bobs(79)));
    sampled(79, null);
    assertEquals(List.of(bobs(79)), first().strangers().processes());
    sampled(0, null);
    assertEquals(Standing.FREE, first().standing(), "it has been freed since");
  }

  @Test
  void a_new_node_lends_no_whole_gpu_before_it_is_known_who_uses_it() {
    joins(TOLERATED);
    cluster.job(1, 1, 1).schedule();
    assertEquals("-", cluster.place("1.0"));
    assertTrue(why("1.0").get(1).contains("has not been read yet"), why("1.0").toString());
    sampled(79, List.of(bobs(79)));
    cluster.schedule();
    assertEquals("n1[B]", cluster.place("1.0"));
  }

  @Test
  void an_agent_of_an_earlier_build_has_strangers_without_names_and_does_not_wait_for_readings() {
    joins(null);
    cluster.job(1, 1, 1).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
    cluster.reported("n1", running("1.0.1")).reported("n1", exited("1.0.1", 0));
    sampled(79, List.of(new DeviceProcess(4711, 79 * GIB)));
    cluster.job(2, 2, 1).schedule();
    assertEquals(List.of("n1[B]", "-"), cluster.places("2.0", "2.1"));
    assertTrue(why("2.1").get(1).contains("pid 4711 uses 79.0 GiB"), why("2.1").toString());
  }

  @Test
  void a_node_that_tolerates_any_use_lends_its_gpus_as_before() {
    joins(Long.MAX_VALUE);
    cluster.job(1, 1, 1).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
    cluster.reported("n1", running("1.0.1")).reported("n1", exited("1.0.1", 0));
    sampled(79, List.of(bobs(79)));
    cluster.job(2, 2, 1).schedule();
    assertEquals(List.of("n1[A]", "n1[B]"), cluster.places("2.0", "2.1"));
  }

  @Test
  void a_task_that_runs_has_just_begun_or_has_just_ended_is_no_stranger() {
    joins(TOLERATED);
    sampled(0, List.of());
    cluster.job(1, 2, 1).job(2, 1, 1).schedule();
    cluster.reported("n1", running("1.0.1"), running("1.1.1"));
    String node = cluster.place("1.0").equals("n1[A]") ? "1.0.1" : "1.1.1";
    String other = node.equals("1.0.1") ? "1.1.1" : "1.0.1";
    sampled(60, List.of()); // it has allocated since the processes were listed
    assertTrue(!first().strangers().isThere());
    sampled(60, List.of(new DeviceProcess(9, 60 * GIB, node)));
    cluster.reported("n1", exited(node, 0), running(other)).schedule();
    assertEquals("n1[A]", cluster.place("2.0"), "what is listed is of the task that has ended");
  }

  @Test
  void a_part_of_a_gpu_is_given_from_what_strangers_leave() {
    joins(TOLERATED);
    sampled(30, List.of(bobs(30)));
    ResourceRequest part = new ResourceRequest(0, 1, 0, 45 * GIB, null, Map.of());
    cluster.job(1, 3, part).schedule();
    assertEquals(List.of("n1[B]", "n1[A]", "-"), cluster.places("1.0", "1.1", "1.2"));
    assertTrue(
        cluster.tasks.whyWaiting(TaskId.parse("1.2"), cluster.now()).stream()
            .anyMatch(WaitReason.GpusOccupied.class::isInstance));
  }

  @Test
  void what_the_driver_has_split_is_offered_as_slices() {
    cluster.nodes.joined(
        "n1",
        new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33),
        List.of(
            new DeviceInfo(
                new DeviceId("MIG-1"),
                0,
                DeviceVendor.NVIDIA,
                "H100 MIG 1g.10gb",
                null,
                10 * GIB,
                "driver",
                new MigSlot(new DeviceId("A"), 7))),
        "test");
    assertTrue(first().slice());
    cluster.job(1, 1, 1).schedule();
    assertEquals("-", cluster.place("1.0"));
    assertTrue(why("1.0").get(0).contains("--gpu-model MIG"), why("1.0").toString());
  }
}
