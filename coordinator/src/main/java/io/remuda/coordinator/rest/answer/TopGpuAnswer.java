package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.DeviceMemorySplit;
import io.remuda.coordinator.api.GpuText;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A GPU with its readings, which are null before its first sample and where its driver has none.
 *
 * @param number by which its machine calls it
 * @param drainReason the reason that was given when it was drained, or null
 * @param freeBytes what may still be lent
 * @param otherBytes used by no task of this server
 * @param utilization percent
 * @param note why it is occupied or rests, or who else uses it; or null
 */
public record TopGpuAnswer(
    String node,
    String number,
    String uuid,
    String model,
    String state,
    String drainReason,
    String health,
    Long memoryBytes,
    Long usedBytes,
    long freeBytes,
    List<Holder> holders,
    Long otherBytes,
    Integer utilization,
    Integer temperatureCelsius,
    Double powerWatts,
    Double powerLimitWatts,
    String note,
    List<StrangerAnswer> strangers) {

  private static final double MILLIS_OF_WATT = 1000;

  /**
   * An attempt that has a GPU or a part of it.
   *
   * @param whole whether it has all of it
   * @param reservedBytes what was promised to it, or null if unknown, as the next
   */
  public record Holder(
      long job, String attempt, boolean whole, Long reservedBytes, Long usedBytes) {

    private static Holder of(DeviceMemorySplit.TenantMemory part) {
      return new Holder(
          part.attempt().task().job().value(),
          part.attempt().numbers(),
          part.whole(),
          part.reserved(),
          part.used());
    }
  }

  static Stream<TopGpuAnswer> of(NodeOffer node, ClusterNodesSnapshot cluster) {
    NodeSample sample = cluster.samples().get(node.node());
    Map<DeviceId, DeviceSample> readings = sample == null ? Map.of() : sample.byDevice();
    return node.devices().stream()
        .map(device -> of(node.node(), device, readings.get(device.id()), cluster));
  }

  private static TopGpuAnswer of(
      String node, DeviceOffer device, DeviceSample reading, ClusterNodesSnapshot cluster) {
    DeviceMemorySplit memory =
        DeviceMemorySplit.of(
            device.totalMemory(),
            cluster.holders().getOrDefault(device.id(), List.of()),
            cluster.promised(),
            reading);
    boolean lent =
        device.standing() != DeviceOffer.Standing.TAKEN
            && device.standing() != DeviceOffer.Standing.RESTING
            && device.standing() != DeviceOffer.Standing.DRAINING;
    return new TopGpuAnswer(
        node,
        reading == null ? null : reading.number(),
        device.id().uuid(),
        device.model(),
        NodeAnswer.label(device.standing()),
        NodeAnswer.drainReason(device),
        reading == null ? null : NodeAnswer.label(reading.health()),
        memory.total(),
        memory.used(),
        lent ? device.freeMemory() : 0,
        memory.parts().stream().map(Holder::of).toList(),
        memory.others(),
        reading == null ? null : reading.utilGpu(),
        reading == null ? null : reading.tempC(),
        reading == null ? null : watts(reading.powerMw()),
        reading == null ? null : watts(reading.powerLimitMw()),
        GpuText.note(device),
        StrangerAnswer.of(device));
  }

  private static Double watts(Integer milliwatts) {
    return milliwatts == null ? null : milliwatts / MILLIS_OF_WATT;
  }
}
