package io.remuda.coordinator.api;

import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a device's memory is shared, in bytes; unknown values are null.
 *
 * @param total memory that tasks may use
 * @param used memory in use according to the driver
 * @param parts shares of the attempts that hold the device
 * @param others used memory that belongs to none of these
 *     <p>Where more is used than every idle device may have in use ({@link
 *     ResourceRequest#nearlyAll}) and no listed process has it, as in a container whose driver
 *     lists none, nobody knows whose it is: it is not known what an attempt without a process uses,
 *     nor what others do.
 */
public record DeviceMemorySplit(Long total, Long used, List<TenantMemory> parts, Long others) {

  /**
   * An attempt's share of a device.
   *
   * @param whole whether it has the device exclusively
   * @param reserved promised memory; all of it if it has the whole device
   * @param used memory used by its processes
   */
  public record TenantMemory(AttemptId attempt, boolean whole, Long reserved, Long used) {}

  /**
   * Splits the values of a driver's sample.
   *
   * @param total memory that tasks may use, 0 if unknown
   * @param holders the attempts that hold the device
   * @param promised what each of them was promised
   * @param reading sample of the device, or null
   */
  public static DeviceMemorySplit of(
      long total,
      List<AttemptId> holders,
      Map<AttemptId, ResourceRequest> promised,
      DeviceSample reading) {
    List<TenantMemory> parts = new ArrayList<>();
    boolean listed = reading != null && isListed(reading, total);
    Long others = reading == null ? null : reading.memUsed();
    for (AttemptId attempt : holders) {
      ResourceRequest needs = promised.get(attempt);
      boolean whole = needs == null || !needs.gpuShare().isShared();
      Long used = used(attempt, reading, listed);
      parts.add(
          new TenantMemory(
              attempt, whole, known(whole ? total : needs.gpuShare().partOf(total)), used));
      others = others == null || used == null ? null : Long.valueOf(Math.max(0, others - used));
    }
    return new DeviceMemorySplit(
        known(total), reading == null ? null : reading.memUsed(), parts, others);
  }

  /** Returns what is promised of it, as far as that is known. */
  public long lent() {
    return parts.stream().mapToLong(part -> part.reserved() == null ? 0 : part.reserved()).sum();
  }

  private static Long known(long bytes) {
    return bytes > 0 ? bytes : null;
  }

  /** Returns whether the listed processes have what is used, as far as that is known. */
  private static boolean isListed(DeviceSample reading, long total) {
    if (reading.processes() == null || reading.memUsed() == null) {
      return reading.processes() != null;
    }
    long listed = 0;
    for (DeviceProcess process : reading.processes()) {
      listed += process.memBytes() == null ? 0 : process.memBytes();
    }
    return reading.memUsed() - listed <= total - ResourceRequest.nearlyAll(total);
  }

  /**
   * Returns null if the driver does not list the processes, or a process's memory is unknown.
   *
   * @param listed whether who has no process uses nothing
   */
  private static Long used(AttemptId attempt, DeviceSample reading, boolean listed) {
    if (reading == null || reading.processes() == null) {
      return null;
    }
    long sum = 0;
    boolean seen = listed;
    for (DeviceProcess process : reading.processes()) {
      if (attempt.toString().equals(process.task())) {
        if (process.memBytes() == null) {
          return null;
        }
        sum += process.memBytes();
        seen = true;
      }
    }
    return seen ? Long.valueOf(sum) : null;
  }
}
