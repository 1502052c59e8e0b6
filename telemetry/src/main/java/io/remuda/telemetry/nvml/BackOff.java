package io.remuda.telemetry.nvml;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Computes when to retry: after a first delay, which doubles with each failure up to a limit. */
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

  /** Schedules the next retry; has no effect while one is scheduled. */
  void failed() {
    if (armed) {
      return;
    }
    delayNanos = delayNanos == 0 ? firstNanos : Math.min(2 * delayNanos, limitNanos);
    dueAt = ticker.getAsLong() + delayNanos;
    armed = true;
  }

  /** Returns true once per elapsed delay: the caller retries now. */
  boolean tryNow() {
    if (!armed || ticker.getAsLong() - dueAt < 0) {
      return false;
    }
    armed = false;
    return true;
  }

  /** Cancels the scheduled retry and resets the delay. */
  void succeeded() {
    armed = false;
    delayNanos = 0;
  }
}
