package io.remuda.worker.workload.mnist.data;

import io.remuda.worker.workload.seeded.SplitMix64;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A data set of drawn digits in MNIST's format: 60000 training and 10000 test images, labels evenly
 * mixed. It depends only on the seed. Drawing takes a few seconds and 55 MB in the cache folder
 * {@code drawn-<version>/seed-<seed>}. Methods must be called with the cache locked.
 */
final class DrawnDigitDataset {

  /** Must be increased when a seed would give different images. */
  static final int VERSION = 1;

  private static final int TRAIN = 60_000;
  private static final int TEST = 10_000;
  private static final long TRAIN_STREAM = 1;
  private static final long TEST_STREAM = 2;

  private DrawnDigitDataset() {}

  /** Returns the folder of the set, drawing the set if it is missing. */
  static Path in(Path cacheDir, long seed) throws DataException {
    Path folder = cacheDir.resolve("drawn-" + VERSION).resolve("seed-" + seed);
    if (MnistFolder.isComplete(folder)) {
      return folder;
    }
    try {
      draw(folder, seed, TRAIN, TEST);
      return folder;
    } catch (IOException e) {
      throw CacheLock.unwritable(cacheDir, e);
    }
  }

  /** Draws into a temporary folder beside {@code folder} and renames it when it is complete. */
  static void draw(Path folder, long seed, int train, int test) throws IOException {
    Path part = folder.resolveSibling(folder.getFileName() + ".part");
    delete(part);
    delete(folder);
    Files.createDirectories(part);
    write(part, MnistFileKind.TRAIN_IMAGES, MnistFileKind.TRAIN_LABELS, seed, TRAIN_STREAM, train);
    write(part, MnistFileKind.TEST_IMAGES, MnistFileKind.TEST_LABELS, seed, TEST_STREAM, test);
    Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void write(
      Path folder, MnistFileKind images, MnistFileKind labels, long seed, long stream, int count)
      throws IOException {
    byte[] digits = new byte[count];
    byte[] pixels = new byte[MnistImages.PIXELS];
    DigitPainter painter = new DigitPainter();
    try (OutputStream out = open(folder, images)) {
      out.write(IdxArray.header(count, MnistImages.SIDE, MnistImages.SIDE));
      for (int i = 0; i < count; i++) {
        SplitMix64 numbers = SplitMix64.substream(seed, stream, i);
        digits[i] = (byte) numbers.below(10);
        painter.paint(digits[i], numbers, pixels);
        out.write(pixels);
      }
    }
    try (OutputStream out = open(folder, labels)) {
      out.write(IdxArray.header(count));
      out.write(digits);
    }
  }

  private static OutputStream open(Path folder, MnistFileKind file) throws IOException {
    return new BufferedOutputStream(
        Files.newOutputStream(folder.resolve(file.fileName())), 1 << 16);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(folder)) {
      List<Path> deepestFirst = inside.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
