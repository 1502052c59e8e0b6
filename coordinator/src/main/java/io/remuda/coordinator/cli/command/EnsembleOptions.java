package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.ensemble.EnsembleSettings;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of a run, as the reference example has them, and ours below. */
final class EnsembleOptions {

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
      description = "uses bars to print telemetry data; lines where the output is no terminal")
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
      description = "elements of the image dataset to process (default: 1024^3); also 1GiB, 512MiB")
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
          "agents on this machine, each a node of its own"
              + " (default: 1; in a Slurm job an agent on each of its nodes)")
  Integer nodes;

  @Option(
      names = "--srun-args",
      paramLabel = "ARGS",
      defaultValue = "",
      description = "in a Slurm job: more arguments of the srun that starts the agents")
  String srunArguments;

  @Option(
      names = "--join-nodes",
      paramLabel = "N",
      defaultValue = "0",
      description = "agents that are started elsewhere and join before the run begins (default: 0)")
  int joinNodes;

  @Option(
      names = "--listen",
      paramLabel = "HOST[:PORT]",
      description =
          "where agents connect, by TLS with the run's key (default: 127.0.0.1, any port;"
              + " in a Slurm job this machine's address towards the nodes)")
  String listen;

  @Option(
      names = "--cpus",
      paramLabel = "C",
      description =
          "CPUs of each machine that the run may use, at most those that are allowed"
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
      description = "print the final report as one JSON object on stdout, all else on stderr")
  boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "log what the coordinator does")
  boolean verbose;

  @Option(names = "--rehearse", hidden = true, description = "a tiny run, to record classes")
  boolean rehearse;

  /** Makes this a run of one image and no training. */
  void rehearse() {
    nodes = 1; // also in a Slurm job
    mnistWorkers = 0;
    scipyWorkers = 1;
    size = 16;
    mem = 256;
    interval = 0.2;
  }

  /** The nodes that the run starts on this machine, if it is to run here. */
  int localNodes() {
    return nodes == null ? 1 : nodes;
  }

  /**
   * The settings of the run.
   *
   * @param ownNodes that it starts, here or elsewhere
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
}
