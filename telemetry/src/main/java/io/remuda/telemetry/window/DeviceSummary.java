package io.remuda.telemetry.window;

import io.remuda.telemetry.model.DeviceId;

/**
 * The summary of one device over a run; a null value is not available.
 *
 * @param id the device
 * @param index its position in the driver's order
 * @param migSlot slot of a MIG instance on the device at that index; null for a whole device
 * @param samples number of samples, with or without a utilisation
 * @param meanUtil mean utilisation, 0-100 %
 * @param maxUtil greatest utilisation, 0-100 %
 * @param p50Util median utilisation
 * @param p95Util utilisation not exceeded in 95 of 100 samples
 * @param p99Util utilisation not exceeded in 99 of 100 samples
 * @param peakMemoryBytes greatest memory in use
 * @param energyMj energy in millijoules between first and last sample
 */
public record DeviceSummary(
    DeviceId id,
    int index,
    Integer migSlot,
    long samples,
    Double meanUtil,
    Integer maxUtil,
    Integer p50Util,
    Integer p95Util,
    Integer p99Util,
    Long peakMemoryBytes,
    Long energyMj) {

  /**
   * Returns the number to display: {@code 3}, or {@code 3:1} for the MIG instance in slot 1 of
   * device 3.
   */
  public String number() {
    return migSlot == null ? Integer.toString(index) : index + ":" + migSlot;
  }
}
