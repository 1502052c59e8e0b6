package io.remuda.coordinator.testkit;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A small set of pictures in MNIST's format that is learned in a second: each of the ten classes is
 * a bright block in a place of its own, over noise.
 */
public final class TinyMnist {

  private static final int SIDE = 28;
  private static final int CLASSES = 10;
  private static final int IMAGES = 2051;
  private static final int LABELS = 2049;

  private TinyMnist() {}

  /** Writes the four files and returns the folder. */
  public static Path write(Path folder, int train, int test) throws IOException {
    Files.createDirectories(folder);
    Random random = new Random(1);
    part(folder, "train", train, random);
    part(folder, "t10k", test, random);
    return folder;
  }

  private static void part(Path folder, String name, int count, Random random) throws IOException {
    ByteArrayOutputStream images = new ByteArrayOutputStream();
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    header(images, IMAGES, count, SIDE, SIDE);
    header(labels, LABELS, count);
    for (int index = 0; index < count; index++) {
      int label = index % CLASSES;
      images.write(image(label, random));
      labels.write(label);
    }
    Files.write(folder.resolve(name + "-images-idx3-ubyte"), images.toByteArray());
    Files.write(folder.resolve(name + "-labels-idx1-ubyte"), labels.toByteArray());
  }

  private static void header(ByteArrayOutputStream out, int... words) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    for (int word : words) {
      data.writeInt(word);
    }
  }

  private static byte[] image(int label, Random random) {
    byte[] pixels = new byte[SIDE * SIDE];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) random.nextInt(40);
    }
    int top = 4 + label / 5 * 12;
    int left = 2 + label % 5 * 5;
    for (int row = top; row < top + 8; row++) {
      for (int column = left; column < left + 4; column++) {
        pixels[row * SIDE + column] = (byte) (200 + random.nextInt(55));
      }
    }
    return pixels;
  }
}
