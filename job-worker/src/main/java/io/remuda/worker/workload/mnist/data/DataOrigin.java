package io.remuda.worker.workload.mnist.data;

/** Where a set of images came from. */
public enum DataOrigin {
  /** The folder the user named. */
  GIVEN,
  /** Genuine MNIST downloaded by an earlier run. */
  CACHE,
  /** Genuine MNIST downloaded just now. */
  DOWNLOADED,
  /** Digits drawn by this program: the same format, but results do not compare with MNIST's. */
  DRAWN
}
