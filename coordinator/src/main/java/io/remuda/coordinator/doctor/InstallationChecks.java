package io.remuda.coordinator.doctor;

import io.remuda.agent.settings.Distribution;
import io.remuda.worker.cuda.CudaLibraries;
import io.remuda.worker.workload.mnist.data.DataException;
import io.remuda.worker.workload.mnist.data.DataRequest;
import io.remuda.worker.workload.mnist.data.MnistDataLocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Checks the release, libtorch, data, ports and Slurm. */
final class InstallationChecks {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String PROBE = "io.remuda.worker.main.TorchProbe";

  private InstallationChecks() {}

  /** Loads libtorch in a separate process, as a worker does, since its faults can end a JVM. */
  static DoctorFinding libtorch(Path cache) {
    try {
      Distribution release = Distribution.locate();
      Path torch = release.home().resolve("lib/torch");
      if (!Files.isDirectory(torch)) {
        return DoctorFinding.warning(
            "libtorch",
            "this release has none, so MNIST trainings of the ensemble cannot run; jobs can",
            "take the release with libtorch for the ensemble; a source tree makes it: mvn package");
      }
      String said =
          said(
              List.of(
                  Distribution.java().toString(),
                  "-Xmx256m",
                  "-cp",
                  release.torchClassPath(),
                  PROBE,
                  cache.toString()));
      return said.startsWith("libtorch ")
          ? DoctorFinding.good("libtorch", said)
          : DoctorFinding.broken(
              "libtorch",
              "it does not load: " + said,
              "try it on another machine, or unpack the release again");
    } catch (IOException fault) {
      return DoctorFinding.broken(
          "libtorch",
          fault.getMessage(),
          "unpack the release again; in a source tree, mvn package");
    }
  }

  /** Looks for CUDA's libraries, if this release can use them. */
  static DoctorFinding cuda(Map<String, String> environment) {
    CudaLibraries found = CudaLibraries.find(environment, Path.of("/"));
    if (found.complete()) {
      return DoctorFinding.good("cuda", found.words());
    }
    return hasCuda()
        ? DoctorFinding.warning(
            "cuda", found.words(), "until then trainings run on the CPU, also with a GPU")
        : DoctorFinding.good(
            "cuda", "this release is built for the CPU (from source, mvn package -Pcuda: CUDA 13)");
  }

  private static boolean hasCuda() {
    try {
      return Distribution.locate().hasCuda();
    } catch (IOException said) { // libtorch() reports it
      return false;
    }
  }

  /** Runs a command and returns the last line of its output. */
  private static String said(List<String> command) throws IOException {
    Path log = Files.createTempFile("remuda", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      boolean ended = process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS);
      process.destroyForcibly();
      if (!ended) {
        return command.get(0) + " did not end within " + LONG.toSeconds() + " s";
      }
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return lines.isEmpty()
          ? "exit code " + process.exitValue()
          : lines.get(lines.size() - 1).strip();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return "interrupted";
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /** Looks for genuine MNIST; without it the first run downloads it. */
  static DoctorFinding data(Map<String, String> environment, Path cache) {
    String given = environment.getOrDefault("MNIST_DIR", "");
    if (given.isBlank()) {
      Path folder = cache.resolve("mnist");
      return isFilled(folder)
          ? DoctorFinding.good("data", "MNIST is in " + folder)
          : DoctorFinding.warning(
              "data",
              "no MNIST in " + folder,
              "the first run downloads it; without a network it draws its own digits,"
                  + " or set MNIST_DIR");
    }
    try {
      MnistDataLocator.locate(new DataRequest(Path.of(given), cache, true, 1), says -> {});
      return DoctorFinding.good("data", "genuine MNIST in MNIST_DIR, " + given);
    } catch (DataException fault) {
      return DoctorFinding.broken("data", fault.getMessage(), "repair or unset MNIST_DIR");
    }
  }

  private static boolean isFilled(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
              .map(file -> file.getFileName().toString().replaceFirst("\\.gz$", ""))
              .filter(name -> name.matches("(train|t10k)-(images-idx3|labels-idx1)-ubyte"))
              .distinct()
              .count()
          == 4;
    } catch (IOException none) {
      return false;
    }
  }

  static DoctorFinding ports() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String name = InetAddress.getLocalHost().getHostName();
      return DoctorFinding.good(
          "ports",
          "listens on loopback (port "
              + probe.getLocalPort()
              + " just now); this machine's name "
              + name
              + " resolves");
    } catch (UnknownHostException unknown) {
      return DoctorFinding.warning(
          "ports",
          "this machine's own name does not resolve: " + unknown.getMessage(),
          "give --listen an address if other machines are to join");
    } catch (IOException fault) {
      return DoctorFinding.broken(
          "ports", "cannot listen on loopback: " + fault.getMessage(), "check the firewall");
    }
  }

  /** Checks whether Slurm is installed and whether this process is in a Slurm job. */
  static DoctorFinding slurm(Map<String, String> environment) {
    boolean srun =
        Stream.of(environment.getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "srun")));
    String job = environment.getOrDefault("SLURM_JOB_ID", "");
    if (!job.isEmpty() && !srun) {
      return DoctorFinding.broken(
          "slurm", "in job " + job + ", but no srun in PATH", "add Slurm's folder to PATH");
    }
    if (!job.isEmpty()) {
      return DoctorFinding.good(
          "slurm",
          "in job "
              + job
              + " with nodes "
              + environment.getOrDefault("SLURM_JOB_NODELIST", "?")
              + ": a run has an agent on each");
    }
    return DoctorFinding.good("slurm", srun ? "installed; not in a job" : "not installed");
  }
}
