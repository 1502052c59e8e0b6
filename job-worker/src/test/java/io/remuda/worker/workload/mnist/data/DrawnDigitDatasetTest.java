package io.remuda.worker.workload.mnist.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrawnDigitDatasetTest {

  @TempDir Path temp;

  @Test
  void the_same_seed_draws_the_same_images() throws IOException, DataException {
    MnistImages first = drawn("first", 1);
    MnistImages again = drawn("again", 1);
    MnistImages other = drawn("other", 2);
    assertArrayEquals(first.train().pixels(), again.train().pixels());
    assertArrayEquals(first.test().labels(), again.test().labels());
    assertFalse(Arrays.equals(first.train().pixels(), other.train().pixels()));
  }

  @Test
  void training_and_test_images_differ() throws IOException, DataException {
    MnistImages set = drawn("set", 1);
    assertFalse(Arrays.equals(set.test().pixels(), set.train().first(set.test().count()).pixels()));
  }

  @Test
  void every_digit_is_drawn_about_equally_often() throws IOException, DataException {
    int[] counts = new int[10];
    for (byte label : drawn("set", 1).train().labels()) {
      counts[label]++;
    }
    for (int digit = 0; digit < 10; digit++) {
      assertTrue(counts[digit] > 150, "digit " + digit + " drawn " + counts[digit] + " of 2000");
    }
  }

  @Test
  void even_the_nearest_mean_image_tells_most_digits_apart() throws IOException, DataException {
    MnistImages set = drawn("set", 1);
    double[][] means = means(set.train());
    int right = 0;
    for (int i = 0; i < set.test().count(); i++) {
      right += nearest(means, set.test().pixels(), i) == set.test().labels()[i] ? 1 : 0;
    }
    assertTrue(right > 0.6 * set.test().count(), right + " of " + set.test().count());
  }

  @Test
  void no_image_is_empty_and_the_corners_are_black() throws IOException, DataException {
    MnistImages.ImageSet part = drawn("set", 1).train();
    for (int i = 0; i < part.count(); i++) {
      int ink = 0;
      for (int p = 0; p < MnistImages.PIXELS; p++) {
        ink += part.pixels()[i * MnistImages.PIXELS + p] == 0 ? 0 : 1;
      }
      assertTrue(ink > 20 && ink < 400, "image " + i + " has " + ink + " pixels of ink");
      assertEquals(0, part.pixels()[i * MnistImages.PIXELS]);
    }
  }

  private MnistImages drawn(String name, long seed) throws IOException, DataException {
    DrawnDigitDataset.draw(temp.resolve(name), seed, 2000, 500);
    return MnistFolder.at(temp.resolve(name), false).read();
  }

  private static double[][] means(MnistImages.ImageSet part) {
    double[][] means = new double[10][MnistImages.PIXELS];
    int[] counts = new int[10];
    for (int i = 0; i < part.count(); i++) {
      counts[part.labels()[i]]++;
      for (int p = 0; p < MnistImages.PIXELS; p++) {
        means[part.labels()[i]][p] += part.pixels()[i * MnistImages.PIXELS + p] & 0xff;
      }
    }
    for (int digit = 0; digit < 10; digit++) {
      for (int p = 0; p < MnistImages.PIXELS; p++) {
        means[digit][p] /= counts[digit];
      }
    }
    return means;
  }

  private static int nearest(double[][] means, byte[] pixels, int image) {
    int nearest = -1;
    double least = Double.MAX_VALUE;
    for (int digit = 0; digit < 10; digit++) {
      double distance = 0;
      for (int p = 0; p < MnistImages.PIXELS; p++) {
        double d = means[digit][p] - (pixels[image * MnistImages.PIXELS + p] & 0xff);
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        nearest = digit;
      }
    }
    return nearest;
  }
}
