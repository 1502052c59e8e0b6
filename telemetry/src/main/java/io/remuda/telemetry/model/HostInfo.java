package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * What does not change while this process runs on its machine.
 *
 * @param hostName the name the machine gives itself
 * @param cpuModel product name of the CPU
 * @param cpusOnline CPUs online in the machine, at least 1
 * @param cpusAllowed CPUs this process may use: the least of those online, the control group's
 *     quota and CPU set, the affinity and the Slurm allocation; may be a fraction
 * @param memTotal memory of the machine in bytes
 * @param memAllowed bytes this process may use: the least of memTotal and the control group's limit
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
