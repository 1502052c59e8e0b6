package io.remuda.telemetry.window;

import java.util.List;

/**
 * The summary of one node and its devices over a run. Utilisation covers the samples of all
 * devices; a null value is not available.
 *
 * @param node name of the node
 * @param samples number of samples of the node
 * @param meanLoad1 mean of the 1-minute load averages
 * @param maxLoad1 greatest 1-minute load average
 * @param meanUtil mean utilisation of the devices, 0-100 %
 * @param maxUtil greatest utilisation of a device, 0-100 %
 * @param p95Util utilisation not exceeded in 95 of 100 samples of devices
 * @param peakMemoryBytes greatest memory in use on one device
 * @param energyMj energy of all devices in millijoules
 * @param devices the devices in the order of their first samples
 */
public record UtilizationSummary(
    String node,
    long samples,
    double meanLoad1,
    double maxLoad1,
    Double meanUtil,
    Integer maxUtil,
    Integer p95Util,
    Long peakMemoryBytes,
    Long energyMj,
    List<DeviceSummary> devices) {
  public UtilizationSummary {
    devices = List.copyOf(devices);
  }
}
