package io.remuda.coordinator.ensemble;

/** Estimates the memory that a built-in worker will take, by formulas fitted to measured runs. */
public final class WorkerMemoryEstimate {

  /** Measured: a training has 1.1 to 1.4 GB resident with test batches of 1000. */
  private static final long TRAINING_BASE_BYTES = 400L << 20;

  private static final long TRAINING_BYTES_PER_IMAGE = 850L << 10;

  /** An image of doubles, and a quarter of it for intermediate rows. */
  private static final double CONVOLUTION_BYTES_PER_PIXEL = 8 * 1.25;

  private WorkerMemoryEstimate() {}

  /** Returns the bytes of one training, which depend on its largest batch. */
  public static long training(int batchSize, int testBatchSize) {
    long images = Math.max(testBatchSize, 2L * batchSize);
    return TRAINING_BASE_BYTES + images * TRAINING_BYTES_PER_IMAGE;
  }

  /** Returns the bytes of one convolution worker without its JVM, for images of this side. */
  public static double convolution(int size) {
    return (double) size * size * CONVOLUTION_BYTES_PER_PIXEL;
  }
}
