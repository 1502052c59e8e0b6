package io.remuda.telemetry.nvml;

import java.time.Duration;
import java.util.function.LongSupplier;

/** When to try again: after a first delay, then after twice as long each time up to a limit. */
final class BackOff {
  private final long firstNanos;
  private final long limitNanos;
  private final LongSupplier ticker;
  private long delayNanos;
  private long dueAt;
  private boolean armed;

  /**
   * @param ticker monotonic nanoseconds
   */
  BackOff(Duration first, Duration limit, LongSupplier ticker) {
    this.firstNanos = first.toNanos();
    this.limitNanos = limit.toNanos();
    this.ticker = ticker;
  }

  /** Something failed: a try is due after the delay. While one is awaited this changes nothing. */
  void failed() {
    if (armed) {
      return;
    }
    delayNanos = delayNanos == 0 ? firstNanos : Math.min(2 * delayNanos, limitNanos);
    dueAt = ticker.getAsLong() + delayNanos;
    armed = true;
  }

  /** True once for each delay that has passed: the caller tries now. */
  boolean tryNow() {
    if (!armed || ticker.getAsLong() - dueAt < 0) {
      return false;
    }
    armed = false;
    return true;
  }

  /** All is well: the next failure waits for the first delay again. */
  void succeeded() {
    armed = false;
    delayNanos = 0;
  }
}
