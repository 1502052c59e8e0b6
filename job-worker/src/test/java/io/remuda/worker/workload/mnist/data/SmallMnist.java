package io.remuda.worker.workload.mnist.data;

import java.io.IOException;
import java.nio.file.Path;

/** Folders with a few drawn digits in MNIST's format, for trainings that take milliseconds. */
public final class SmallMnist {

  private SmallMnist() {}

  /** Draws {@code train} and {@code test} images; always the same ones. */
  public static void draw(Path folder, int train, int test) throws IOException {
    DrawnDigitDataset.draw(folder, 1, train, test);
  }
}
