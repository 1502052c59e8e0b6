package io.remuda.coordinator.cli.ensemble;

import io.remuda.coordinator.ensemble.EnsembleSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a run: those of the reference example first, then those that Remuda adds. */
public final class EnsembleOptions {

  @Option(
      names = {"--scipy-workers", "--scipy_workers"},
      paramLabel = "NUM_SCIPY_WORKERS",
      defaultValue = "2",
      description = "number of scipy workers (default: 2)")
  int scipyWorkers;

  @Option(
      names = {"--mnist-workers", "--mnist_workers"},
      paramLabel = "NUM_MNIST_WORKERS",
      defaultValue = "2",
      description = "number of mnist workers (default: 2)")
  int mnistWorkers;

  @Option(
      names = "--bars",
      description =
          "uses bars to print telemetry data; prints lines if the output is not a terminal")
  boolean bars;

  @Option(names = "--no-cuda", description = "disables CUDA training; no worker takes a GPU")
  boolean noCuda;

  @Option(
      names = "--size",
      paramLabel = "ARRAY_SIZE",
      defaultValue = "1024",
      description = "size of the array (default: 1024)")
  int size;

  @Option(
      names = "--mem",
      paramLabel = "IMAGE_MEM_SIZE",
      defaultValue = "1073741824",
      converter = SizeConverter.class,
      description =
          "elements of the image dataset to process, also as 1GiB or 512MiB (default: 1024^3)")
  long mem;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "64",
      description = "input batch size for training (default: 64)")
  int batchSize;

  @Option(
      names = "--test-batch-size",
      paramLabel = "N",
      defaultValue = "1000",
      description = "input batch size for testing (default: 1000)")
  int testBatchSize;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "14",
      description = "number of epochs to train (default: 14)")
  int epochs;

  @Option(
      names = "--gamma",
      paramLabel = "M",
      defaultValue = "0.7",
      description = "Learning rate step gamma (default: 0.7)")
  double gamma;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "random seed of training and of the images (default: 1)")
  long seed;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "number of agents on this machine, each a separate node"
              + " (default: 1; in a Slurm job one agent on each of its nodes)")
  Integer nodes;

  @Option(
      names = "--srun-args",
      paramLabel = "ARGS",
      defaultValue = "",
      description = "in a Slurm job: additional arguments of the srun that starts the agents")
  String srunArguments;

  @Option(
      names = "--join-nodes",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "number of agents started elsewhere that must join before the run begins (default: 0)")
  int joinNodes;

  @Option(
      names = "--listen",
      paramLabel = "HOST[:PORT]",
      description =
          "address to which agents connect, by TLS with the run's key (default: 127.0.0.1, any"
              + " port; in a Slurm job the address that this machine uses towards the nodes)")
  String listen;

  @Option(
      names = "--cpus",
      paramLabel = "C",
      description =
          "CPUs that the run may use on each machine, at most those allowed to it"
              + " (default: all of them)")
  Double cpus;

  @Option(
      names = "--simulate-gpus",
      paramLabel = "SPEC",
      description = "pretend to have GPUs, such as h200:8, for demonstrations")
  String simulateGpus;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "folder with the MNIST files (default: $MNIST_DIR, else the cache)")
  Path dataDir;

  @Option(
      names = "--no-verify",
      description = "train on other IDX files than the genuine MNIST, such as Fashion-MNIST")
  boolean noVerify;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "telemetry period, 0.2 to 60 (default: 1)")
  double interval;

  @Option(
      names = "--json",
      description = "print the final report as one JSON object on stdout, the rest on stderr")
  boolean json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "write a report of the run as one HTML file when it ends, however it ends")
  Path report;

  @Option(
      names = {"-v", "--verbose"},
      description = "log what the coordinator does")
  boolean verbose;

  @Option(names = "--rehearse", hidden = true, description = "a tiny run that records classes")
  boolean rehearse;

  /** Sets the options for a run of one image without training. */
  void rehearse() {
    nodes = 1; // also in a Slurm job
    mnistWorkers = 0;
    scipyWorkers = 1;
    size = 16;
    mem = 256;
    interval = 0.2;
  }

  /** Returns how many nodes a run on this machine starts. */
  int localNodes() {
    return nodes == null ? 1 : nodes;
  }

  /**
   * Returns the settings of the run.
   *
   * @param ownNodes number of nodes that the run starts, on this machine or in a Slurm job
   */
  EnsembleSettings settings(Path data, int ownNodes) {
    return new EnsembleSettings(
        mnistWorkers,
        scipyWorkers,
        !noCuda,
        size,
        mem,
        batchSize,
        testBatchSize,
        epochs,
        gamma,
        seed,
        ownNodes,
        joinNodes,
        cpus == null ? 0 : cpus,
        data,
        !noVerify,
        Duration.ofMillis(Math.round(interval * 1000)));
  }

  /** A count with an optional binary suffix: {@code 1073741824}, {@code 1GiB}, {@code 512MiB}. */
  static final class SizeConverter implements ITypeConverter<Long> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,40})\\s*(|[kmgt]i?b?)");
    private static final Map<Character, Integer> SHIFTS =
        Map.of('k', 10, 'm', 20, 'g', 30, 't', 40);

    @Override
    public Long convert(String value) {
      Matcher matcher = FORM.matcher(value.trim().toLowerCase(Locale.ROOT));
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + value + "' is not a size: give a number, or one with KiB, MiB, GiB or TiB");
      }
      String suffix = matcher.group(2);
      int shift = suffix.isEmpty() ? 0 : SHIFTS.get(suffix.charAt(0));
      try {
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
      } catch (ArithmeticException | NumberFormatException tooLarge) {
        throw new TypeConversionException("'" + value + "' is too large");
      }
    }
  }
}
