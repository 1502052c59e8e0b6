package io.remuda.coordinator.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.MigSlot;
import io.remuda.telemetry.model.NodeSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunNodesStatusTest {
  private static final long GIB = 1L << 30;
  private static final DeviceInfo WHOLE = device("GPU-aa", 3, 141 * GIB, null);
  private static final DeviceInfo INSTANCE =
      device("MIG-b1", 4, 10 * GIB, new MigSlot(new DeviceId("GPU-bb"), 1));
  private static final DeviceSample READ =
      DeviceSampleBuilder.of(WHOLE)
          .utilGpu(37)
          .memUsed(2 * GIB)
          .tempC(61)
          .powerMw(250_500)
          .powerLimitMw(700_000)
          .build();

  private static DeviceInfo device(String uuid, int index, long memory, MigSlot mig) {
    return new DeviceInfo(
        new DeviceId(uuid), index, DeviceVendor.NVIDIA, "NVIDIA H200", null, memory, null, mig);
  }

  private static NodeSample sample(DeviceSample... devices) {
    HostSample host = new HostSample(0.17, 0, 0, null, 4, GIB, GIB, 0L);
    return new NodeSample("n1", 1, 0, host, List.of(devices));
  }

  private static RunNodesStatus.GpuStatus gpu(
      DeviceInfo device, NodeSample sample, Map<String, String> lent) {
    return RunNodesStatus.node("n1", true, List.of(device), sample, lent).gpus().get(0);
  }

  @Test
  void a_gpu_shows_its_readings_in_units_of_people_and_the_task_that_holds_it() {
    assertEquals(
        new RunNodesStatus.GpuStatus(
            "3",
            "GPU-aa",
            "NVIDIA H200",
            37,
            2 * GIB,
            141 * GIB,
            61,
            250.5,
            700.0,
            DeviceHealth.OK,
            "1.0"),
        gpu(WHOLE, sample(READ), Map.of("GPU-aa", "1.0", "GPU-zz", "1.1")));
  }

  @Test
  void what_the_driver_does_not_tell_is_null_and_not_zero() {
    DeviceInfo unknownSize = device("GPU-aa", 0, 0, null);
    assertEquals(
        new RunNodesStatus.GpuStatus(
            "0",
            "GPU-aa",
            "NVIDIA H200",
            null,
            null,
            null,
            null,
            null,
            null,
            DeviceHealth.OK,
            null),
        gpu(unknownSize, sample(DeviceSampleBuilder.of(unknownSize).build()), Map.of()));
  }

  @Test
  void an_instance_is_numbered_by_its_gpu_and_its_slot() {
    assertEquals(
        "4:1", gpu(INSTANCE, sample(DeviceSampleBuilder.of(INSTANCE).build()), Map.of()).number());
  }

  @Test
  void before_its_first_sample_a_node_has_stale_devices_with_their_numbers_and_no_load() {
    RunNodesStatus.NodeStatus node =
        RunNodesStatus.node("n1", true, List.of(WHOLE, INSTANCE), null, Map.of("MIG-b1", "1.2"));
    assertNull(node.load1());
    assertEquals(
        List.of("3 STALE null", "4:1 STALE 1.2"),
        node.gpus().stream()
            .map(gpu -> gpu.number() + " " + gpu.health() + " " + gpu.task())
            .toList());
  }

  @Test
  void a_device_that_the_newest_sample_does_not_have_is_stale() {
    RunNodesStatus.NodeStatus node =
        RunNodesStatus.node("n1", true, List.of(WHOLE, INSTANCE), sample(READ), Map.of());
    assertEquals(0.17, node.load1());
    assertEquals(DeviceHealth.OK, node.gpus().get(0).health());
    assertEquals(DeviceHealth.STALE, node.gpus().get(1).health());
  }

  @Test
  void a_device_that_is_not_of_the_node_any_more_is_left_out() {
    assertEquals(
        List.of(), RunNodesStatus.node("n1", true, List.of(), sample(READ), Map.of()).gpus());
  }

  @Test
  void a_drained_device_has_its_reason_if_there_is_one() {
    RunNodesStatus.NodeStatus node =
        RunNodesStatus.node(
            "n1",
            true,
            List.of(WHOLE, INSTANCE),
            null,
            Map.of(),
            Map.of(WHOLE.id(), "a fan", INSTANCE.id(), ""),
            Map.of(WHOLE.id(), "pid 7"));
    assertEquals("pid 7", node.gpus().get(0).note());
    assertNull(node.gpus().get(1).note());
    assertEquals(
        List.of("true a fan", "true null"),
        node.gpus().stream().map(gpu -> gpu.draining() + " " + gpu.drainReason()).toList());
    assertNull(gpu(WHOLE, null, Map.of()).draining());
  }

  @Test
  void a_node_that_does_not_answer_says_so() {
    assertFalse(
        RunNodesStatus.node("n1", false, List.of(WHOLE), sample(READ), Map.of()).reachable());
  }

  @Test
  void it_keeps_its_own_lists() {
    List<RunNodesStatus.GpuStatus> gpus = new ArrayList<>();
    List<RunNodesStatus.NodeStatus> nodes = new ArrayList<>();
    RunNodesStatus.NodeStatus node = new RunNodesStatus.NodeStatus("n1", true, null, gpus);
    RunNodesStatus status = new RunNodesStatus("run-9", nodes);
    gpus.add(null);
    nodes.add(node);
    assertEquals(List.of(), node.gpus());
    assertEquals(List.of(), status.nodes());
  }
}
