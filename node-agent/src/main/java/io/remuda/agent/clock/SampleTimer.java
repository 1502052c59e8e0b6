package io.remuda.agent.clock;

import io.remuda.thread.DaemonThread;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A timer for samples with a thread of its own. The actor system's timer is too coarse: it ticks
 * five times a second, so that an idle agent sleeps, and would turn a period of 1 s into 1.2 s.
 * Used by one thread.
 */
public class SampleTimer {

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(work -> DaemonThread.of("telemetry-clock", work));
  private ScheduledFuture<?> beat;

  /**
   * Starts to tick, at once and then with this delay; replaces the previous period. A fixed delay
   * instead of a fixed rate avoids a burst of ticks after a pause of the whole process.
   *
   * @param tick runs at each tick; must be short
   */
  public void start(Runnable tick, Duration interval) {
    stop();
    beat = thread.scheduleWithFixedDelay(tick, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Stops ticking until it is started again. */
  public void stop() {
    if (beat != null) {
      beat.cancel(false);
    }
  }

  /** Ends the thread. */
  public void end() {
    thread.shutdownNow();
  }
}
