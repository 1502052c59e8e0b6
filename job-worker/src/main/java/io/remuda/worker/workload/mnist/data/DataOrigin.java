package io.remuda.worker.workload.mnist.data;

/** The origin of a data set. */
public enum DataOrigin {
  /** The folder that the user specified. */
  GIVEN,
  /** Genuine MNIST downloaded by an earlier run. */
  CACHE,
  /** Genuine MNIST downloaded just now. */
  DOWNLOADED,
  /** Digits drawn by this program, in the same format; results are not comparable with MNIST's. */
  DRAWN
}
