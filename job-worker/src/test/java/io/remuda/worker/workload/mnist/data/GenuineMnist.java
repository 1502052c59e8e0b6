package io.remuda.worker.workload.mnist.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the genuine MNIST for tests: MNIST_DIR, or shared/data/mnist above the working folder. */
public final class GenuineMnist {

  /** Said by tests that are skipped. */
  public static final String ABSENT = "no genuine MNIST here: MNIST_DIR is not set";

  private GenuineMnist() {}

  public static Optional<Path> folder() {
    String named = System.getenv("MNIST_DIR");
    if (named != null && !named.isBlank()) {
      return Optional.of(Path.of(named));
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path folder = at.resolve("shared").resolve("data").resolve("mnist");
      if (Files.isDirectory(folder)) {
        return Optional.of(folder);
      }
    }
    return Optional.empty();
  }
}
