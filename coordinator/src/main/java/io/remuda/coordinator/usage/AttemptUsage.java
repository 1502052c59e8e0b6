package io.remuda.coordinator.usage;

import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.worker.job.GpuShare;
import io.remuda.worker.job.ResourceRequest;

/**
 * The sums of one attempt, from what it was given and how it ended. Pure.
 *
 * @param needs what it was given
 * @param gpus number of its devices
 * @param ranMillis its run time; 0 if it never ran
 * @param end how its process ended; null if that is not known
 */
public record AttemptUsage(ResourceRequest needs, int gpus, long ranMillis, TaskEnd end) {

  private static final int MEBIBYTE = 20;
  private static final long MILLIS = 1000;
  private static final double PERCENT = 100;

  /**
   * Returns the sums.
   *
   * @param isFirst whether it is of the first task of its job
   * @param isOver whether its task has ended with it
   */
  public UsageTotals totals(boolean isFirst, boolean isOver) {
    long cpuHeld = needs.milliCpus() * ranMillis / MILLIS;
    Long cpuUsed = end == null ? null : end.cpuMillis();
    long gpuHeld = (long) (gpus * partOfDevice() * ranMillis);
    AttemptGpuUtilization load = end == null ? null : end.load();
    boolean seen = gpus > 0 && load != null && load.meanPercent() != null;
    long peak = end == null || end.peakRssBytes() == null ? 0 : end.peakRssBytes();
    boolean sized = needs.memory() > 0 && peak > 0;
    return new UsageTotals(
        isFirst && isOver ? 1 : 0,
        isOver ? 1 : 0,
        ranMillis > 0 ? 1 : 0,
        ranMillis,
        cpuHeld,
        cpuUsed == null ? 0 : cpuHeld,
        cpuUsed == null ? 0 : cpuUsed,
        gpuHeld,
        seen ? gpuHeld : 0,
        seen ? (long) (gpuHeld * load.meanPercent() / PERCENT) : 0,
        seen && load.maxPercent() == 0 ? gpuHeld : 0,
        sized ? (needs.memory() >> MEBIBYTE) * ranMillis / MILLIS : 0,
        sized ? (peak >> MEBIBYTE) * ranMillis / MILLIS : 0,
        peak,
        end == null || end.gpu() == null ? 0 : end.gpu().peakBytes());
  }

  /**
   * Returns CPU time in percent of CPUs × run time.
   *
   * @param cpuMillis CPU time, or null
   * @param milliCpus thousandths of CPUs
   * @param ranMillis run time, or null
   * @return null if one of them is null or 0
   */
  public static Integer cpuPercent(Long cpuMillis, long milliCpus, Long ranMillis) {
    return cpuMillis == null || ranMillis == null || milliCpus == 0 || ranMillis == 0
        ? null
        : (int) Math.round(PERCENT * MILLIS * cpuMillis / milliCpus / ranMillis);
  }

  /** Returns what part of each device it had, from 0 to 1; 1 if the device's size is not known. */
  private double partOfDevice() {
    GpuShare share = needs.gpuShare();
    if (share instanceof GpuShare.PerDevice equal) {
      return 1.0 / equal.tasks();
    }
    AttemptGpuUtilization load = end == null ? null : end.load();
    boolean known = load != null && load.memoryBytes() != null && load.memoryBytes() > 0;
    return share.promisedBytes() > 0 && known
        ? Math.min(1, (double) share.promisedBytes() / load.memoryBytes())
        : 1;
  }
}
