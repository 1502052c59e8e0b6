package io.remuda.worker.job;

/**
 * Convolves images that the worker makes itself from (seed, index); the worker asks for ranges of
 * indices until there are no more.
 *
 * @param size side of a square image in pixels, at least 4
 * @param seed of images and filters
 */
public record ConvolutionWorkload(int size, long seed) implements Workload {

  public ConvolutionWorkload {
    RecordChecks.atLeast("size", 4, size);
  }
}
