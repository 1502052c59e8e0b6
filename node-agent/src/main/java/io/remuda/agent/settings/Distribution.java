package io.remuda.agent.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder with the jars of one release. Each jar finds the others next to itself.
 *
 * @param home the folder
 */
public record Distribution(Path home) {

  /** System property that sets the folder, for programs that run from class folders. */
  public static final String PROPERTY = "remuda.dist";

  private static final String CPU_LIBTORCH = "pytorch-.*-linux-x86_64\\.jar";

  /**
   * Returns the folder that this class was loaded from, or the one that {@link #PROPERTY} sets.
   *
   * @throws IOException if the agent's or the worker's jar is missing
   */
  public static Distribution locate() throws IOException {
    String given = System.getProperty(PROPERTY);
    Distribution found =
        new Distribution(given != null ? Path.of(given).toAbsolutePath() : ownFolder());
    for (Path jar : List.of(found.agentJar(), found.workerJar())) {
      if (!Files.isRegularFile(jar)) {
        throw new IOException(
            jar
                + " is missing: run from the dist folder that `mvn package` makes, or set -D"
                + PROPERTY
                + "=FOLDER");
      }
    }
    return found;
  }

  private static Path ownFolder() throws IOException {
    try {
      return Path.of(Distribution.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .getParent();
    } catch (URISyntaxException fault) {
      throw new IOException("cannot tell where this program was loaded from", fault);
    }
  }

  public Path agentJar() {
    return home.resolve("node-agent.jar");
  }

  public Path workerJar() {
    return home.resolve("job-worker.jar");
  }

  /** Returns the class path of a worker without libtorch. */
  public String workerClassPath() {
    return workerJar().toString();
  }

  /** Returns the class path of a worker with libtorch for the CPU. */
  public String torchClassPath() {
    return workerJar() + ":" + home.resolve("lib/torch") + "/*";
  }

  /** Returns the Python package of this release, a wheel; empty if it has none. Reads a folder. */
  public Optional<Path> pythonPackage() {
    try (Stream<Path> wheels = Files.list(home.resolve("python"))) {
      return wheels.filter(path -> path.getFileName().toString().endsWith(".whl")).findFirst();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether this release includes libtorch for CUDA, as {@code mvn package -Pcuda} builds
   * it.
   */
  public boolean hasCuda() {
    return Files.isDirectory(cudaFolder());
  }

  /**
   * Returns the class path of a worker with libtorch for CUDA; libtorch for the CPU must not be on
   * it.
   *
   * @throws UncheckedIOException if the folder with libtorch cannot be read
   */
  public String cudaClassPath() {
    try (Stream<Path> jars = Files.list(home.resolve("lib/torch"))) {
      String others =
          jars.filter(jar -> !jar.getFileName().toString().matches(CPU_LIBTORCH))
              .map(Path::toString)
              .sorted()
              .collect(Collectors.joining(":"));
      return workerJar() + ":" + others + ":" + cudaFolder() + "/*";
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private Path cudaFolder() {
    return home.resolve("lib/torch-cuda");
  }

  /** Returns the java executable that runs this program. */
  public static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
