package io.remuda.worker.main;

import io.remuda.worker.workload.convolution.ConvolutionItems;
import io.remuda.worker.workload.convolution.StridedImageConvolution;
import java.util.function.IntConsumer;

/** Convolves one image at a time in reused buffers. For one thread. */
final class ImageConvolver implements IntConsumer {

  private final int size;
  private final long seed;
  private final double[] image;
  private final double[] result;

  ImageConvolver(int size, long seed) {
    this.size = size;
    this.seed = seed;
    this.image = new double[Math.multiplyExact(size, size)];
    int side = StridedImageConvolution.subsampledSide(size);
    this.result = new double[Math.multiplyExact(side, side)];
  }

  @Override
  public void accept(int index) {
    ConvolutionItems.fillImage(seed, index, size, image);
    StridedImageConvolution.subsampled(image, size, ConvolutionItems.filter(seed, index), result);
    for (double value : result) {
      if (!Double.isFinite(value)) {
        throw new ArithmeticException("image " + index + " has a result that is not finite");
      }
    }
  }
}
