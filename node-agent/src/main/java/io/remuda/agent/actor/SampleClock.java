package io.remuda.agent.actor;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Beats for samples, from a thread of its own. The actor system's clock is too coarse: it looks
 * five times a second, so that an idle agent sleeps, and would make 1.2 s of a period of 1 s. Used
 * by one thread.
 */
class SampleClock {

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(SampleClock::daemon);
  private ScheduledFuture<?> beat;

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "telemetry-clock");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Beats now and from now on, instead of as before: with a delay between beats and no rate, so
   * that after a pause of the whole process there is one and not many.
   *
   * @param tick runs at each beat; it must be short
   */
  void start(Runnable tick, Duration interval) {
    stop();
    beat = thread.scheduleWithFixedDelay(tick, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Beats no more until it is started again. */
  void stop() {
    if (beat != null) {
      beat.cancel(false);
    }
  }

  /** Ends the thread. */
  void end() {
    thread.shutdownNow();
  }
}
