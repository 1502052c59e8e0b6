package io.remuda.telemetry.window;

import io.remuda.telemetry.model.DeviceId;

/**
 * One device over a run; null is not available.
 *
 * @param id the device
 * @param index its position in the driver's order
 * @param samples samples seen, with or without a utilisation
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
    long samples,
    Double meanUtil,
    Integer maxUtil,
    Integer p50Util,
    Integer p95Util,
    Integer p99Util,
    Long peakMemoryBytes,
    Long energyMj) {}
