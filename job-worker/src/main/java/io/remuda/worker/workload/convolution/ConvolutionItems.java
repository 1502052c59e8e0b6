package io.remuda.worker.workload.convolution;

import io.remuda.worker.workload.seeded.SplitMix64;

/**
 * The work items of a convolution run, each generated from (seed, index) alone: any worker can
 * generate any item, no data is transferred, and a repeated item is identical.
 *
 * <p>The original example convolves images of zeros. Here an image holds uniform values in [0, 1),
 * so that the arithmetic is real and a result can be checked; generating one of 1024² takes about
 * 1.5 ms. A filter holds 16 standard normal values, as in the example, from a separate stream: an
 * index has the same filter at every image size.
 */
public final class ConvolutionItems {

  private static final long IMAGES = 1;
  private static final long FILTERS = 2;

  private ConvolutionItems() {}

  /**
   * Returns the number of items of a run: mem / size², rounded down.
   *
   * @param mem the run's footprint, counted in image <em>values</em> as in the original example;
   *     the images of all items together would take 8 times as many bytes
   * @param size side of the images, at least 1
   */
  public static int count(long mem, int size) {
    StridedImageConvolution.fullSide(size);
    if (mem < 0) {
      throw new IllegalArgumentException("mem is " + mem + "; it must not be negative");
    }
    long count = mem / ((long) size * size);
    if (count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "mem " + mem + " at size " + size + " makes " + count + " items, more than 2^31 - 1");
    }
    return (int) count;
  }

  /** Returns the image of an item, size² values in [0, 1), in a new array. */
  public static double[] image(long seed, int index, int size) {
    StridedImageConvolution.fullSide(size);
    double[] image = new double[size * size];
    fillImage(seed, index, size, image);
    return image;
  }

  /** Writes the image of an item into the first size² elements of {@code image}. */
  public static void fillImage(long seed, int index, int size, double[] image) {
    SplitMix64.substream(seed, IMAGES, index).fill(image, size * size);
  }

  /** Returns the filter of an item: 16 standard normal values, four rows of four. */
  public static double[] filter(long seed, int index) {
    SplitMix64 numbers = SplitMix64.substream(seed, FILTERS, index);
    double[] filter =
        new double[StridedImageConvolution.FILTER_SIDE * StridedImageConvolution.FILTER_SIDE];
    for (int i = 0; i < filter.length; i++) {
      filter[i] = numbers.normal();
    }
    return filter;
  }
}
