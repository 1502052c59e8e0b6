package io.remuda.telemetry.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * A stand-in of the NVIDIA driver at its C interface, whose state is a text file that may change in
 * the middle of a run; {@code src/test/c/README.md} describes the file. Processes that are started
 * with {@link #environment} see it; the test itself does after {@link #loaded} was called.
 */
public final class SimulatedDriver {
  /** System property: the folder of the two libraries. */
  public static final String FOLDER_PROPERTY = "remuda.simulated.driver";

  private static final String LIBRARY = "libremuda-nvml.so";
  private static final String OLD_LIBRARY = "libremuda-nvml-old.so";
  private static final String CONTROL = "simulated-nvml.txt";
  private static final String DEFAULT_FOLDER = "telemetry/target/simulated-driver";

  private final Path folder;
  private final Path control;

  private SimulatedDriver(Path folder, Path control) {
    this.folder = folder;
    this.control = control;
  }

  /**
   * A driver that keeps its control file in this folder; one GPU until told otherwise.
   *
   * @throws IllegalStateException when the libraries have not been built
   */
  public static SimulatedDriver in(Path folder) {
    SimulatedDriver driver =
        new SimulatedDriver(libraries(), folder.resolve(CONTROL).toAbsolutePath());
    return driver.says("gpus 1");
  }

  /**
   * A driver with a library of its own in this folder, beside its control file: several of them,
   * each with another state, may be loaded into one process.
   */
  public static SimulatedDriver withOwnLibraryIn(Path folder) throws IOException {
    Path shared = libraries();
    for (String library : List.of(LIBRARY, OLD_LIBRARY)) {
      Files.copy(shared.resolve(library), folder.resolve(library));
    }
    Path own = folder.toAbsolutePath();
    return new SimulatedDriver(own, own.resolve(CONTROL)).says("gpus 1");
  }

  /** Replaces the whole state at once: no reader sees half of it. */
  public SimulatedDriver says(String... lines) {
    try {
      Path next = control.resolveSibling(control.getFileName() + ".new");
      Files.write(next, List.of(lines));
      Files.move(
          next, control, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file that holds the state. */
  public Path controlFile() {
    return control;
  }

  /** The library with the functions of a present driver. */
  public Path library() {
    return folder.resolve(LIBRARY);
  }

  /** The library without the functions that older drivers lack. */
  public Path oldLibrary() {
    return folder.resolve(OLD_LIBRARY);
  }

  /** What a process must be started with to see this driver. */
  public Map<String, String> environment() {
    return environment(library());
  }

  /** As {@link #environment()}, for the old library. */
  public Map<String, String> environmentOfOldDriver() {
    return environment(oldLibrary());
  }

  private Map<String, String> environment(Path library) {
    return Map.of(
        "REMUDA_NVML_LIBRARY", library.toString(), "REMUDA_SIMULATED_NVML", control.toString());
  }

  /** The library in this process, following this control file from now on. */
  public LoadedDriver loaded() {
    return LoadedDriver.of(library(), control);
  }

  /** The old library in this process, following this control file from now on. */
  public LoadedDriver loadedOld() {
    return LoadedDriver.of(oldLibrary(), control);
  }

  private static Path libraries() {
    String named = System.getProperty(FOLDER_PROPERTY);
    Path folder = named != null ? Path.of(named) : search();
    if (!Files.exists(folder.resolve(LIBRARY)) || !Files.exists(folder.resolve(OLD_LIBRARY))) {
      throw new IllegalStateException(
          "no simulated driver in "
              + folder
              + ": it is built with the tests of the telemetry"
              + " module, which needs make and a C compiler (cc)");
    }
    return folder.toAbsolutePath();
  }

  private static Path search() {
    Path start = Path.of("").toAbsolutePath();
    for (Path at = start; at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("telemetry/src"))) {
        return at.resolve(DEFAULT_FOLDER);
      }
    }
    return start.resolve(DEFAULT_FOLDER);
  }
}
