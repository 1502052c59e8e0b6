package io.remuda.coordinator.service;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Does things at their times, one after the other; any of them may add others. One thread. */
final class Timeline {

  /** Something to be done. */
  interface Act {
    void run() throws Exception;
  }

  private record Step(long nanos, long number, Act act) {}

  private final PriorityQueue<Step> steps =
      new PriorityQueue<>(Comparator.comparingLong(Step::nanos).thenComparingLong(Step::number));
  private final long begin = System.nanoTime();
  private long added;

  /** So long after the beginning. */
  void at(long millis, Act act) {
    steps.add(new Step(begin + millis * 1_000_000, added++, act));
  }

  /** So long from now. */
  void in(long millis, Act act) {
    at(millis() + millis, act);
  }

  /** Since the beginning. */
  long millis() {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  /** Returns when all is done. */
  void run() throws Exception {
    for (Step step = steps.poll(); step != null; step = steps.poll()) {
      long wait = step.nanos() - System.nanoTime();
      if (wait > 0) {
        Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
      }
      step.act().run();
    }
  }
}
