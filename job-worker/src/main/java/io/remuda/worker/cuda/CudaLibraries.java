package io.remuda.worker.cuda;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The CUDA 13 libraries that libtorch's GPU build needs but does not include, from a Python
 * environment with NVIDIA's wheels or from the system.
 *
 * @param place description of where they were found, such as {@code the Python environment
 *     /home/ann/venv}
 * @param folders folders to prepend to LD_LIBRARY_PATH; empty if the loader finds all libraries
 * @param missing library names that were not found there
 */
public record CudaLibraries(String place, List<Path> folders, List<String> missing) {

  /** The variable that tells a worker, as text, which libraries it has. */
  public static final String FOUND = "REMUDA_CUDA_LIBRARIES";

  /** The variable that tells a worker, as text, why it has no libraries. */
  public static final String NONE = "REMUDA_NO_CUDA";

  /**
   * The names that the libraries of libtorch 2.10's GPU build list as needed ({@code readelf -d}).
   */
  static final List<String> NEEDED =
      List.of(
          "libcuda.so.1", // part of the driver
          "libcudart.so.13",
          "libcublas.so.13",
          "libcublasLt.so.13",
          "libcudnn.so.9",
          "libcufft.so.12",
          "libcurand.so.10",
          "libcusolver.so.12",
          "libcusparse.so.12",
          "libnccl.so.2",
          "libcupti.so.13",
          "libcufile.so.0",
          "libnvJitLink.so.13", // needed by cusparse
          "libnvrtc.so.13"); // loaded by cuDNN at run time

  public CudaLibraries {
    folders = List.copyOf(folders);
    missing = List.copyOf(missing);
  }

  /** A location to search. */
  private record Candidate(String name, List<Path> folders) {}

  /**
   * Searches the loader's own folders, the active Python or conda environment, CUDA's own folders,
   * and the Python packages of the user and the system, in this order. Returns the first location
   * that completes the libraries the loader finds by itself, including through LD_LIBRARY_PATH;
   * else the one with the fewest missing libraries.
   *
   * @param environment environment of the process that will start the worker
   * @param root root of the file system; tests pass a folder
   */
  public static CudaLibraries find(Map<String, String> environment, Path root) {
    List<Path> anyway = new ArrayList<>(pathVariable(environment));
    anyway.addAll(
        List.of(
            root.resolve("usr/lib/x86_64-linux-gnu"),
            root.resolve("usr/lib64"),
            root.resolve("lib/x86_64-linux-gnu")));
    return candidates(environment, root).stream()
        .map(candidate -> look(candidate, anyway))
        .min(Comparator.comparingInt(found -> found.missing().size()))
        .orElseThrow();
  }

  private static List<Path> pathVariable(Map<String, String> environment) {
    return Stream.of(environment.getOrDefault("LD_LIBRARY_PATH", "").split(":"))
        .filter(folder -> !folder.isBlank())
        .map(Path::of)
        .toList();
  }

  private static List<Candidate> candidates(Map<String, String> environment, Path root) {
    List<Candidate> all = new ArrayList<>();
    all.add(new Candidate("the loader's own folders", List.of()));
    for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      given(environment, variable)
          .ifPresent(
              folder ->
                  all.add(new Candidate("the Python environment " + folder, ofPython(folder))));
    }
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
      given(environment, variable)
          .ifPresent(folder -> all.add(new Candidate(folder.toString(), toolkit(folder))));
    }
    for (Path folder : matching(root.resolve("usr/local"), "cuda*")) {
      all.add(new Candidate(folder.toString(), toolkit(folder)));
    }
    given(environment, "HOME")
        .map(home -> home.resolve(".local"))
        .ifPresent(own -> all.add(new Candidate("Python packages in " + own, ofPython(own))));
    for (String prefix : List.of("usr/local", "usr")) {
      Path folder = root.resolve(prefix);
      all.add(new Candidate("Python packages in " + folder, ofPython(folder)));
    }
    return all;
  }

  private static Optional<Path> given(Map<String, String> environment, String variable) {
    String value = environment.getOrDefault(variable, "");
    return value.isBlank() ? Optional.empty() : Optional.of(Path.of(value));
  }

  private static List<Path> toolkit(Path home) {
    return List.of(
        home.resolve("lib64"),
        home.resolve("targets/x86_64-linux/lib"),
        home.resolve("extras/CUPTI/lib64"));
  }

  /**
   * Returns the library folders below a prefix: {@code nvidia/cu13/lib} and {@code
   * nvidia/PACKAGE/lib} of NVIDIA's wheels, {@code lib} of conda.
   */
  private static List<Path> ofPython(Path prefix) {
    List<Path> folders = new ArrayList<>();
    folders.add(prefix.resolve("lib"));
    for (Path python : matching(prefix.resolve("lib"), "python3*")) {
      for (String packages : List.of("site-packages", "dist-packages")) {
        for (Path nvidia : matching(python.resolve(packages).resolve("nvidia"), "*")) {
          folders.add(nvidia.resolve("lib"));
        }
      }
    }
    return folders.stream().filter(Files::isDirectory).toList();
  }

  private static List<Path> matching(Path folder, String pattern) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
      entries.forEach(found::add);
    } catch (IOException none) {
      return List.of();
    }
    found.sort(Comparator.reverseOrder()); // newest version first
    return found;
  }

  private static CudaLibraries look(Candidate candidate, List<Path> anyway) {
    List<Path> used = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String library : NEEDED) {
      Optional<Path> own = holder(candidate.folders(), library);
      if (own.isPresent()) {
        if (!used.contains(own.get())) {
          used.add(own.get());
        }
      } else if (holder(anyway, library).isEmpty()) {
        missing.add(library);
      }
    }
    return new CudaLibraries(candidate.name(), used, missing);
  }

  private static Optional<Path> holder(List<Path> folders, String library) {
    return folders.stream().filter(folder -> Files.exists(folder.resolve(library))).findFirst();
  }

  /** Returns whether all libraries were found. */
  public boolean complete() {
    return missing.isEmpty();
  }

  /** Describes what was found or is missing. */
  public String words() {
    if (complete()) {
      return "CUDA 13 of " + place;
    }
    return missing.size() == NEEDED.size()
        ? "no CUDA 13 libraries on this machine: install them, or pip install nvidia-* wheels"
        : "CUDA 13: " + place + " lacks " + String.join(", ", missing);
  }

  /** Returns LD_LIBRARY_PATH with these folders prepended. */
  public String loaderPath(Map<String, String> environment) {
    List<String> all = new ArrayList<>(folders.stream().map(Path::toString).toList());
    pathVariable(environment).forEach(folder -> all.add(folder.toString()));
    return String.join(":", all);
  }
}
