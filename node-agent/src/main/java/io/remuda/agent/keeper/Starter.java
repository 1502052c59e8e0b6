package io.remuda.agent.keeper;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongConsumer;

/**
 * Starts what waits for a seat once it is free, on a thread of its own: a start may take long, as
 * in a folder on a stalled disk, and the warden must not wait for it.
 */
final class Starter implements Runnable {
  private final BlockingQueue<Long> free = new LinkedBlockingQueue<>();
  private final LongConsumer start;

  /** What is done with a free seat is {@code start}. */
  Starter(LongConsumer start) {
    this.start = start;
  }

  /** Any thread; never waits. */
  void free(long seat) {
    free.add(seat);
  }

  @Override
  public void run() {
    try {
      while (true) {
        guarded(free.take());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void guarded(long seat) {
    try {
      start.accept(seat);
    } catch (RuntimeException | OutOfMemoryError fault) {
      Log.line("keeper: seat " + seat + " was not given on: " + fault);
    }
  }
}
