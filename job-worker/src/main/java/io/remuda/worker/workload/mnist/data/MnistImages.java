package io.remuda.worker.workload.mnist.data;

import java.util.Arrays;
import java.util.Objects;

/**
 * A data set in memory, about 55 MB for MNIST.
 *
 * @param train the training images, 60000 in MNIST
 * @param test the test images, 10000 in MNIST
 */
public record MnistImages(ImageSet train, ImageSet test) {

  /** Number of rows and columns of an image. */
  public static final int SIDE = MnistFolder.SIDE;

  /** Number of values of an image. */
  public static final int PIXELS = SIDE * SIDE;

  /**
   * Images and their labels.
   *
   * @param count number of images, at least 1
   * @param pixels count * 784 unsigned bytes, 0 for background; not copied, must not be modified
   * @param labels count values from 0 to 9; not copied, must not be modified
   */
  public record ImageSet(int count, byte[] pixels, byte[] labels) {

    public ImageSet {
      if (count < 1 || labels.length != count || pixels.length != count * PIXELS) {
        throw new IllegalArgumentException(
            count + " images with " + pixels.length + " pixels and " + labels.length + " labels");
      }
    }

    /** Returns the first images, at most {@code most}. */
    public ImageSet first(int most) {
      int kept = Math.min(most, count);
      return new ImageSet(kept, Arrays.copyOf(pixels, kept * PIXELS), Arrays.copyOf(labels, kept));
    }
  }

  public MnistImages {
    Objects.requireNonNull(train, "train");
    Objects.requireNonNull(test, "test");
  }

  /** Reads a located data set; header, counts and ranges are checked again. */
  public static MnistImages load(LocatedData located) throws DataException {
    return MnistFolder.at(located.folder(), false).read();
  }
}
