package io.remuda.coordinator.schedule.gpus;

import io.remuda.worker.job.JobId;

/**
 * A training that may have another number of GPUs after each epoch.
 *
 * @param job its job
 * @param priority of its job; higher ones get their first GPU first
 * @param now number of GPUs that it has, 0 while it waits
 * @param most highest number that it may have, at least 1
 * @param epochsLeft number of epochs that are not done, at least 1
 * @param curve its speed by number of GPUs
 * @param restartSeconds what a change costs it
 * @param settled whether it has done an epoch with what it has, so that it may change
 */
public record ElasticTraining(
    JobId job,
    int priority,
    int now,
    int most,
    int epochsLeft,
    SpeedCurve curve,
    double restartSeconds,
    boolean settled) {

  /** Returns the estimated seconds until it ends with this number of GPUs. */
  double secondsLeft(int gpus) {
    return epochsLeft / curve.speed(gpus);
  }

  /** Returns the next higher number of GPUs that it may have: a power of two, or the highest. */
  int above(int gpus) {
    return gpus == 0 ? 1 : Math.min(most, Integer.highestOneBit(gpus) * 2);
  }

  /**
   * Returns the highest number of GPUs that it may get now: a running training takes one step that
   * was not measured at a time, since the speed may have its peak there.
   */
  int farthest() {
    int next = now == 0 ? most : above(now);
    while (next < most && curve.isMeasured(next)) {
      next = above(next);
    }
    return next;
  }

  /** Returns the next lower number of GPUs that it may have. */
  int below(int gpus) {
    int power = Integer.highestOneBit(gpus);
    return power == gpus ? Math.max(1, gpus / 2) : power;
  }
}
