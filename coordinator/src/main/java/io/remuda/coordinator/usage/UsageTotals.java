package io.remuda.coordinator.usage;

/**
 * Sums over attempts. Of what is not known of an attempt, neither the use nor what it held is in
 * the sums of what was measured, so that a missing measurement is not taken for no use. Times are
 * milliseconds of the run time of attempts, multiplied by what the attempt held.
 *
 * @param jobs whose first task has ended
 * @param tasks that have ended for good
 * @param attempts that have begun and ended
 * @param ranMillis run time
 * @param cpuHeldMillis CPUs asked for × run time
 * @param cpuMeasuredMillis the part of it of attempts whose CPU time is known
 * @param cpuUsedMillis CPU time
 * @param gpuHeldMillis GPUs × run time; a part of a GPU's memory counts as that part of the GPU
 * @param gpuMeasuredMillis the part of it of attempts whose utilisation is known
 * @param gpuUsedMillis GPUs × run time × mean utilisation
 * @param gpuIdleMillis the part of {@code gpuMeasuredMillis} of attempts that never used a GPU
 * @param memoryAskedMibSeconds MiB of --mem × seconds, of attempts whose peak is known
 * @param memoryUsedMibSeconds peak in MiB × seconds, of the same attempts
 * @param memoryPeakBytes the highest peak of an attempt; 0 if none is known
 * @param gpuPeakBytes the most memory that an attempt used of one GPU; 0 if none is known
 */
public record UsageTotals(
    long jobs,
    long tasks,
    long attempts,
    long ranMillis,
    long cpuHeldMillis,
    long cpuMeasuredMillis,
    long cpuUsedMillis,
    long gpuHeldMillis,
    long gpuMeasuredMillis,
    long gpuUsedMillis,
    long gpuIdleMillis,
    long memoryAskedMibSeconds,
    long memoryUsedMibSeconds,
    long memoryPeakBytes,
    long gpuPeakBytes) {

  public static final UsageTotals NONE =
      new UsageTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Returns the sums of both; of peaks the higher one. */
  public UsageTotals plus(UsageTotals other) {
    return new UsageTotals(
        jobs + other.jobs,
        tasks + other.tasks,
        attempts + other.attempts,
        ranMillis + other.ranMillis,
        cpuHeldMillis + other.cpuHeldMillis,
        cpuMeasuredMillis + other.cpuMeasuredMillis,
        cpuUsedMillis + other.cpuUsedMillis,
        gpuHeldMillis + other.gpuHeldMillis,
        gpuMeasuredMillis + other.gpuMeasuredMillis,
        gpuUsedMillis + other.gpuUsedMillis,
        gpuIdleMillis + other.gpuIdleMillis,
        memoryAskedMibSeconds + other.memoryAskedMibSeconds,
        memoryUsedMibSeconds + other.memoryUsedMibSeconds,
        Math.max(memoryPeakBytes, other.memoryPeakBytes),
        Math.max(gpuPeakBytes, other.gpuPeakBytes));
  }
}
