package io.remuda.coordinator.ensemble;

/** How much memory of its machine a built-in worker takes, as measured. */
public final class WorkerFootprint {

  /** Measured: 1.1 to 1.4 GB resident with test batches of 1000. */
  private static final long TRAINING_BASE_BYTES = 400L << 20;

  private static final long TRAINING_BYTES_PER_IMAGE = 850L << 10;

  /** An image of doubles, and its rows on the way to the result. */
  private static final double CONVOLUTION_BYTES_PER_PIXEL = 8 * 1.25;

  private WorkerFootprint() {}

  /** Bytes of one training: its largest batch decides. */
  public static long training(int batchSize, int testBatchSize) {
    long images = Math.max(testBatchSize, 2L * batchSize);
    return TRAINING_BASE_BYTES + images * TRAINING_BYTES_PER_IMAGE;
  }

  /** Bytes of one convolution worker besides its JVM, for images of {@code size} squared. */
  public static double convolution(int size) {
    return (double) size * size * CONVOLUTION_BYTES_PER_PIXEL;
  }
}
