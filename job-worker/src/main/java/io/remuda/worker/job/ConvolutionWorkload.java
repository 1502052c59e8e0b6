package io.remuda.worker.job;

/**
 * Convolves images that the worker generates from (seed, index). The worker requests ranges of
 * indices until none are left.
 *
 * @param size side of a square image in pixels, at least 4
 * @param seed seed of images and filters
 */
public record ConvolutionWorkload(int size, long seed) implements Workload {

  public ConvolutionWorkload {
    RecordChecks.atLeast("size", 4, size);
  }
}
