package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * The properties of a machine that stay constant while this process runs.
 *
 * @param hostName host name of the machine
 * @param cpuModel product name of the CPU
 * @param cpusOnline CPUs online in the machine, at least 1
 * @param cpusAllowed CPUs this process may use: the least of the online CPUs, the control group's
 *     quota and CPU set, the affinity and the Slurm allocation; may be a fraction
 * @param memTotal memory of the machine in bytes
 * @param memAllowed bytes this process may use: the least of {@code memTotal}, the control group's
 *     limit and the Slurm allocation
 */
public record HostInfo(
    String hostName,
    String cpuModel,
    int cpusOnline,
    double cpusAllowed,
    long memTotal,
    long memAllowed) {
  public HostInfo {
    Objects.requireNonNull(hostName, "hostName");
    Objects.requireNonNull(cpuModel, "cpuModel");
    if (cpusOnline < 1) {
      throw new IllegalArgumentException("cpusOnline must be 1 or more but is " + cpusOnline);
    }
    if (!(cpusAllowed > 0)) {
      throw new IllegalArgumentException("cpusAllowed must be above 0 but is " + cpusAllowed);
    }
  }
}
