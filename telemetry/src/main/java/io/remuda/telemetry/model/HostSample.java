package io.remuda.telemetry.model;

/**
 * The load of one machine at one moment.
 *
 * @param load1 load average over 1 minute, in runnable tasks
 * @param load5 load average over 5 minutes
 * @param load15 load average over 15 minutes
 * @param cpuBusyRatio share of CPU time that was not idle since the previous sample, 0-1; null in
 *     the first sample
 * @param cpus CPUs online in the machine, including those this process may not use
 * @param memTotal memory of the machine in bytes
 * @param memAvailable bytes that new processes can allocate without swapping
 * @param swapUsed swap in use in bytes; null when not available
 * @param details its cores, disks, networks, temperatures and file systems; {@link
 *     HostDetails#UNKNOWN} for a sample of an earlier build
 */
public record HostSample(
    double load1,
    double load5,
    double load15,
    Double cpuBusyRatio,
    int cpus,
    long memTotal,
    long memAvailable,
    Long swapUsed,
    HostDetails details) {
  public HostSample {
    details = details == null ? HostDetails.UNKNOWN : details;
  }

  /** Creates a sample without details. */
  public HostSample(
      double load1,
      double load5,
      double load15,
      Double cpuBusyRatio,
      int cpus,
      long memTotal,
      long memAvailable,
      Long swapUsed) {
    this(load1, load5, load15, cpuBusyRatio, cpus, memTotal, memAvailable, swapUsed, null);
  }
}
