package io.remuda.worker.workload.mnist;

/**
 * Says whether a training is asked to stop. A training looks after each epoch except the last, once
 * that epoch's snapshot is durable. It looks on the training thread, so an implementation must be
 * thread-safe if another thread makes the request, and must return without blocking.
 */
@FunctionalInterface
public interface StopRequest {

  /** The request that is never made. */
  StopRequest NEVER = () -> false;

  /** Returns whether the training should stop at the end of its current epoch. */
  boolean isAsked();
}
