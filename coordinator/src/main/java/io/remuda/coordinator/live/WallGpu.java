package io.remuda.coordinator.live;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.DeviceMemorySplit;
import io.remuda.coordinator.api.GpuText;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.telemetry.model.DeviceSample;
import java.util.List;
import java.util.Locale;

/**
 * A GPU as it is drawn.
 *
 * @param what what seldom changes
 * @param readings what changes each second
 */
record WallGpu(@JsonUnwrapped What what, @JsonUnwrapped Readings readings) {

  private static final int MEBIBYTE = 20;
  private static final double MILLIS = 1000;

  /**
   * What seldom changes of a GPU.
   *
   * @param node its place in the list of nodes
   * @param number by which its machine calls it; null before its first sample, as health
   * @param memoryMib all that the driver counts; before its first sample what tasks may use
   * @param state whether and how it may be lent
   * @param drainReason the reason that was given when it was drained, or null
   * @param note why it is occupied or rests, or who else uses it; or null
   */
  record What(
      int node,
      String number,
      String uuid,
      String model,
      Long memoryMib,
      Integer powerLimit,
      String state,
      String drainReason,
      String health,
      String note,
      List<Holder> holders) {}

  /**
   * An attempt that has a GPU or a part of it.
   *
   * @param whole whether it has all of it
   * @param lentMib what was promised to it, or null if that is not known, as the next
   */
  record Holder(long job, String attempt, boolean whole, Long lentMib, Long usedMib) {

    private static Holder of(DeviceMemorySplit.TenantMemory part) {
      return new Holder(
          part.attempt().task().job().value(),
          part.attempt().numbers(),
          part.whole(),
          mebibytes(part.reserved()),
          mebibytes(part.used()));
    }
  }

  /**
   * The newest readings of a GPU; null where its driver has none.
   *
   * @param utilization percent
   * @param otherMib used by no task of this server
   * @param power watts
   * @param temperature degrees Celsius
   */
  record Readings(
      Integer utilization, Long usedMib, Long otherMib, Integer power, Integer temperature) {

    private static final Readings NONE = new Readings(null, null, null, null, null);
  }

  /**
   * @param node its place in the list of nodes
   * @param reading newest sample of the device, or null
   */
  static WallGpu of(
      int node, DeviceOffer device, DeviceSample reading, ClusterNodesSnapshot cluster) {
    DeviceMemorySplit memory =
        DeviceMemorySplit.of(
            device.totalMemory(),
            cluster.holders().getOrDefault(device.id(), List.of()),
            cluster.promised(),
            reading);
    String reason = device.drained();
    What what =
        new What(
            node,
            reading == null ? null : reading.number(),
            device.id().uuid(),
            device.model(),
            mebibytes(
                reading == null || reading.memTotal() == null
                    ? memory.total()
                    : reading.memTotal()),
            reading == null ? null : watts(reading.powerLimitMw()),
            label(device.standing()),
            reason == null || reason.isEmpty() ? null : reason,
            reading == null ? null : label(reading.health()),
            GpuText.note(device),
            memory.parts().stream().map(Holder::of).toList());
    return new WallGpu(what, reading == null ? Readings.NONE : readings(reading, memory));
  }

  private static Readings readings(DeviceSample reading, DeviceMemorySplit memory) {
    return new Readings(
        reading.utilGpu(),
        mebibytes(memory.used()),
        mebibytes(memory.others()),
        watts(reading.powerMw()),
        reading.tempC());
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Integer watts(Integer milliwatts) {
    return milliwatts == null ? null : (int) Math.round(milliwatts / MILLIS);
  }

  static Long mebibytes(Long bytes) {
    return bytes == null ? null : Long.valueOf(bytes >> MEBIBYTE);
  }
}
