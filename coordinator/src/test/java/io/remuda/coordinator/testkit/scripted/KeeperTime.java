package io.remuda.coordinator.testkit.scripted;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The time by which scripted keepers measure graces and deadlines. Any thread. */
public interface KeeperTime {

  /** The machine's. */
  KeeperTime REAL =
      new KeeperTime() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void after(Duration pause, Runnable work) {
          CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS).execute(work);
        }
      };

  /** Returns the current time, in nanoseconds since a fixed moment. */
  long nanoTime();

  /** Does something later, once. */
  void after(Duration pause, Runnable work);
}
