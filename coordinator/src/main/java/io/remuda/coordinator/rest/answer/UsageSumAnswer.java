package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.usage.UsageTotals;

/**
 * What a group of attempts held and used. A share in percent is of what was measured, and null if
 * nothing was.
 *
 * @param name of the group
 * @param jobs whose first task has ended
 * @param tasks that have ended for good
 * @param attempts that have begun and ended
 * @param hours run time of the attempts, and of those that run, as the next and gpuHoursHeld
 * @param cpuHoursHeld CPUs × hours
 * @param cpuHoursUsed CPU time in hours
 * @param gpuHoursHeld GPUs × hours
 * @param gpuHoursUsed GPUs × hours × mean utilisation
 * @param gpuHoursIdle GPUs × hours of attempts that never used a GPU
 * @param memoryPercent memory used at the peak, of the memory asked for with --mem
 * @param peakRssBytes the highest peak of an attempt
 * @param gpuPeakBytes the most memory that an attempt used of one GPU
 */
public record UsageSumAnswer(
    String name,
    long jobs,
    long tasks,
    long attempts,
    double hours,
    double cpuHoursHeld,
    double cpuHoursUsed,
    Integer cpuPercent,
    double gpuHoursHeld,
    double gpuHoursUsed,
    double gpuHoursIdle,
    Integer gpuPercent,
    Integer memoryPercent,
    Long peakRssBytes,
    Long gpuPeakBytes) {

  private static final double MILLIS_OF_HOUR = 3_600_000;
  private static final double DIGITS = 10_000;
  private static final double PERCENT = 100;

  public static UsageSumAnswer of(String name, UsageTotals totals) {
    return new UsageSumAnswer(
        name,
        totals.jobs(),
        totals.tasks(),
        totals.attempts(),
        hours(totals.ranMillis()),
        hours(totals.cpuHeldMillis()),
        hours(totals.cpuUsedMillis()),
        percent(totals.cpuUsedMillis(), totals.cpuMeasuredMillis()),
        hours(totals.gpuHeldMillis()),
        hours(totals.gpuUsedMillis()),
        hours(totals.gpuIdleMillis()),
        percent(totals.gpuUsedMillis(), totals.gpuMeasuredMillis()),
        percent(totals.memoryUsedMibSeconds(), totals.memoryAskedMibSeconds()),
        totals.memoryPeakBytes() == 0 ? null : totals.memoryPeakBytes(),
        totals.gpuPeakBytes() == 0 ? null : totals.gpuPeakBytes());
  }

  private static double hours(long millis) {
    return Math.round(DIGITS * millis / MILLIS_OF_HOUR) / DIGITS;
  }

  private static Integer percent(long used, long held) {
    return held == 0 ? null : (int) Math.round(PERCENT * used / held);
  }
}
