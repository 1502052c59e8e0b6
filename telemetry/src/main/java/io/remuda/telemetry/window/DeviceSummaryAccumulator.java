package io.remuda.telemetry.window;

import io.remuda.telemetry.model.DeviceSample;

/** Accumulates the samples of one device for its summary. */
final class DeviceSummaryAccumulator {
  private final UtilizationHistogram utilization = new UtilizationHistogram();
  private final EnergyCounterSum energy = new EnergyCounterSum();
  private DeviceSample latest;
  private long samples;
  private Long peakMemory;

  void add(DeviceSample sample) {
    latest = sample;
    samples++;
    Integer util = sample.utilGpu();
    if (util != null && util >= 0 && util <= 100) {
      utilization.add(util);
    }
    Long used = sample.memUsed();
    if (used != null) {
      peakMemory = peakMemory == null ? used : Math.max(peakMemory, used);
    }
    energy.add(sample.energyMj());
  }

  UtilizationHistogram utilization() {
    return utilization;
  }

  DeviceSummary summary() {
    return new DeviceSummary(
        latest.id(),
        latest.index(),
        latest.migSlot(),
        samples,
        utilization.mean(),
        utilization.max(),
        utilization.quantile(0.5),
        utilization.quantile(0.95),
        utilization.quantile(0.99),
        peakMemory,
        energy.sum());
  }
}
