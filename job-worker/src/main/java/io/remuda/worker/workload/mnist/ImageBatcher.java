package io.remuda.worker.workload.mnist;

import io.remuda.worker.workload.mnist.data.MnistImages;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Provides images in batches, normalised as in PyTorch's example: (value / 255 - 0.1307) / 0.3081.
 * All images are stored on the device as unsigned bytes (47 MB for MNIST); batches are built there.
 *
 * <p>It draws exactly the random numbers that Python's DataLoader draws from the default generator
 * at the start of a pass, one number and with shuffling another, so that dropout and order agree
 * with Python. Must be constructed inside the pointer scope that owns its tensors.
 */
final class ImageBatcher {

  private static final long SIDE = MnistImages.SIDE;

  private final int count;
  private final int batchSize;
  private final Order order;
  private final Device device;
  private final Tensor pixels;
  private final Tensor labels;
  private final Scalar white = new Scalar(255.0);
  private final Scalar mean = new Scalar(0.1307);
  private final Scalar deviation = new Scalar(0.3081);

  /** The indices of the images in the order of the pass; null for the stored order. */
  private Tensor permutation;

  /** The order of the images in a pass. */
  enum Order {
    AS_STORED,
    SHUFFLED
  }

  /**
   * A batch of images and labels, valid until the pointer scope in which it was created is closed.
   *
   * @param images n x 1 x 28 x 28 floats
   * @param labels n integers from 0 to 9
   * @param size n; the last batch of a pass may be smaller
   */
  record Batch(Tensor images, Tensor labels, int size) {}

  ImageBatcher(MnistImages.ImageSet part, int batchSize, Order order, Device device) {
    this.count = part.count();
    this.batchSize = batchSize;
    this.order = order;
    this.device = device;
    this.pixels = onDevice(part.pixels(), ScalarType.Byte, device, count, 1, SIDE, SIDE);
    this.labels = onDevice(part.labels(), ScalarType.Long, device, count);
  }

  /** Returns the number of images in a pass. */
  int count() {
    return count;
  }

  /** Returns the number of batches in a pass. */
  int batches() {
    return (count + batchSize - 1) / batchSize;
  }

  /** Starts a pass over all images. */
  void start() {
    if (permutation != null) {
      permutation.deallocate();
      permutation = null;
    }
    drawSeed();
    if (order == Order.SHUFFLED) {
      permutation = shuffled(drawSeed());
    }
  }

  /** Returns a batch of the pass; {@code number} counts from 0. */
  Batch batch(int number) {
    int from = number * batchSize;
    int size = Math.min(batchSize, count - from);
    if (permutation == null) {
      return normalised(pixels.narrow(0, from, size), labels.narrow(0, from, size), size);
    }
    Tensor chosen = permutation.narrow(0, from, size);
    return normalised(pixels.index_select(0, chosen), labels.index_select(0, chosen), size);
  }

  private Batch normalised(Tensor bytes, Tensor targets, int size) {
    Tensor images = bytes.to(ScalarType.Float).div_(white).sub_(mean).div_(deviation);
    return new Batch(images, targets, size);
  }

  private static Tensor onDevice(byte[] values, ScalarType type, Device device, long... sizes) {
    try (Tensor bytes = torch.empty(sizes, new TensorOptions(ScalarType.Byte), null)) {
      new BytePointer(bytes.data_ptr()).capacity(values.length).put(values);
      return bytes.to(device, type);
    }
  }

  /**
   * Draws a number from the default generator, as DataLoader and RandomSampler draw their seeds.
   */
  private static long drawSeed() {
    try (Tensor seed = torch.empty(new long[0], new TensorOptions(ScalarType.Long), null)) {
      return seed.random_().item_long();
    }
  }

  private Tensor shuffled(long seed) {
    try (Generator generator = torch.make_generator_cpu(seed);
        GeneratorOptional chosen = new GeneratorOptional(generator);
        Tensor indices = torch.randperm(count, chosen, new TensorOptions(ScalarType.Long))) {
      return indices.to(device, ScalarType.Long);
    }
  }
}
