package io.remuda.telemetry.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import org.junit.jupiter.api.Test;

class UtilizationAccumulatorTest {
  private final UtilizationAccumulator accumulator = new UtilizationAccumulator();
  private long sequence;

  private void sample(String node, double load, DeviceSample... devices) {
    HostSample host = new HostSample(load, 0, 0, null, 4, 1, 1, null);
    accumulator.add(new NodeSample(node, ++sequence, 0, host, List.of(devices)));
  }

  private static DeviceSample gpu(int index, Integer util, Long used, Long energy) {
    return DeviceSampleBuilder.of(new DeviceId("gpu-" + index), index)
        .utilGpu(util)
        .memUsed(used)
        .energyMj(energy)
        .build();
  }

  @Test
  void a_run_is_summed_up_per_device_and_per_node() {
    sample("a", 1, gpu(0, 10, 100L, 1000L), gpu(1, 90, 50L, 5000L));
    sample("a", 3, gpu(0, 30, 300L, 1600L), gpu(1, null, null, null));
    sample("a", 2, gpu(0, 20, 200L, 100L), gpu(1, 70, 40L, 5500L));
    UtilizationSummary node = accumulator.summaries().get(0);
    assertEquals("a", node.node());
    assertEquals(3, node.samples());
    assertEquals(2, node.meanLoad1());
    assertEquals(3, node.maxLoad1());
    assertEquals(44, node.meanUtil());
    assertEquals(90, node.maxUtil());
    assertEquals(90, node.p95Util());
    assertEquals(300, node.peakMemoryBytes());
    assertEquals(700 + 500, node.energyMj());
    DeviceSummary first = node.devices().get(0);
    assertEquals(
        new DeviceSummary(new DeviceId("gpu-0"), 0, null, 3, 20.0, 30, 20, 30, 30, 300L, 700L),
        first);
    assertEquals(80, node.devices().get(1).meanUtil());
  }

  @Test
  void a_node_without_devices_has_load_only() {
    sample("cpu", 0.5);
    UtilizationSummary node = accumulator.summaries().get(0);
    assertEquals(0.5, node.meanLoad1());
    assertNull(node.meanUtil());
    assertNull(node.p95Util());
    assertNull(node.peakMemoryBytes());
    assertNull(node.energyMj());
    assertEquals(List.of(), node.devices());
  }

  @Test
  void nodes_are_kept_apart_in_the_order_of_their_first_samples() {
    sample("b", 1);
    sample("a", 1);
    sample("b", 1);
    assertEquals(
        List.of("b", "a"), accumulator.summaries().stream().map(UtilizationSummary::node).toList());
  }
}
