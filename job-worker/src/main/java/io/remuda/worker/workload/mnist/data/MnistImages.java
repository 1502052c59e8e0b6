package io.remuda.worker.workload.mnist.data;

import java.util.Arrays;
import java.util.Objects;

/**
 * A data set in memory: about 55 MB for MNIST.
 *
 * @param train 60000 images in MNIST
 * @param test 10000 images in MNIST
 */
public record MnistImages(ImageSet train, ImageSet test) {

  /** Rows and columns of an image. */
  public static final int SIDE = MnistFolder.SIDE;

  /** Values of an image. */
  public static final int PIXELS = SIDE * SIDE;

  /**
   * Images and their labels.
   *
   * @param count how many, at least 1
   * @param pixels count * 784 unsigned bytes, 0 for background; not copied, not to be changed
   * @param labels count values of 0 to 9; not copied, not to be changed
   */
  public record ImageSet(int count, byte[] pixels, byte[] labels) {

    public ImageSet {
      if (count < 1 || labels.length != count || pixels.length != count * PIXELS) {
        throw new IllegalArgumentException(
            count + " images with " + pixels.length + " pixels and " + labels.length + " labels");
      }
    }

    /** The first images only, or all where there are not so many. */
    public ImageSet first(int most) {
      int kept = Math.min(most, count);
      return new ImageSet(kept, Arrays.copyOf(pixels, kept * PIXELS), Arrays.copyOf(labels, kept));
    }
  }

  public MnistImages {
    Objects.requireNonNull(train, "train");
    Objects.requireNonNull(test, "test");
  }

  /** Reads a located set; header, counts and ranges are checked once more. */
  public static MnistImages load(LocatedData located) throws DataException {
    return MnistFolder.at(located.folder(), false).read();
  }
}
