package io.remuda.examples.schedule;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Nodes as values, for the examples of this package. On a cluster the coordinator makes them. */
final class SampleNodes {

  private static final int CORES = 32;

  private SampleNodes() {}

  /**
   * Returns a node with 32 free cores and free GPUs.
   *
   * @param gibFree memory of the machine that no task was promised, of 256 GiB
   * @param gpus number of GPUs
   * @param gpuGib memory of each GPU in GiB
   */
  static NodeOffer node(String name, int gibFree, int gpus, int gpuGib) {
    Amount cpus = new Amount(CORES * 1000L, CORES * 1000L);
    Amount memory = new Amount(gib(gibFree), gib(256));
    List<DeviceOffer> devices =
        IntStream.range(0, gpus).mapToObj(index -> gpu(name + "-" + index, gib(gpuGib))).toList();
    return new NodeOffer(
        name,
        name,
        Presence.READY,
        Map.of("node", name),
        cpus,
        memory,
        devices,
        OptionalLong.empty());
  }

  private static DeviceOffer gpu(String uuid, long memory) {
    return new DeviceOffer(
        new DeviceId(uuid), "sample GPU", memory, memory, DeviceOffer.Standing.FREE);
  }

  /** Converts GiB to bytes. */
  static long gib(long number) {
    return number << 30;
  }
}
