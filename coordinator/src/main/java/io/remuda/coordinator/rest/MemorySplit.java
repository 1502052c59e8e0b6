package io.remuda.coordinator.rest;

import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Who has how much of a device's memory, in bytes; what is not known is null.
 *
 * @param total that tasks may use, or null
 * @param used by all together, as the driver says
 * @param parts of the attempts that hold the device
 * @param others what is used and belongs to none of these
 */
record MemorySplit(Long total, Long used, List<TenantMemory> parts, Long others) {

  /**
   * What an attempt has of a device.
   *
   * @param whole whether it has the device for itself
   * @param reserved what it was promised: all, if it has the whole device
   * @param used by its processes
   */
  record TenantMemory(AttemptId attempt, boolean whole, Long reserved, Long used) {}

  /**
   * Splits what a driver has said.
   *
   * @param total that tasks may use, 0 if it is not known
   * @param holders the attempts that hold the device
   * @param promised what each of them was promised
   * @param reading of the device, or null
   */
  static MemorySplit of(
      long total,
      List<AttemptId> holders,
      Map<AttemptId, ResourceRequest> promised,
      DeviceSample reading) {
    List<TenantMemory> parts = new ArrayList<>();
    Long others = reading == null ? null : reading.memUsed();
    for (AttemptId attempt : holders) {
      ResourceRequest needs = promised.get(attempt);
      boolean whole = needs == null || !needs.sharesGpus();
      Long used = used(attempt, reading);
      parts.add(new TenantMemory(attempt, whole, known(whole ? total : needs.partOf(total)), used));
      others = others == null || used == null ? null : Long.valueOf(Math.max(0, others - used));
    }
    return new MemorySplit(known(total), reading == null ? null : reading.memUsed(), parts, others);
  }

  private static Long known(long bytes) {
    return bytes > 0 ? bytes : null;
  }

  /** Null if the driver does not name the processes, or does not say what one of its uses. */
  private static Long used(AttemptId attempt, DeviceSample reading) {
    if (reading == null || reading.processes() == null) {
      return null;
    }
    long sum = 0;
    for (DeviceProcess process : reading.processes()) {
      if (attempt.toString().equals(process.task())) {
        if (process.memBytes() == null) {
          return null;
        }
        sum += process.memBytes();
      }
    }
    return sum;
  }
}
