package io.remuda.coordinator.cli.ensemble;

import io.remuda.coordinator.ensemble.WorkerMemoryEstimate;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.workload.convolution.StridedImageConvolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the options; each message has the option, its value and the reason or what to do. */
final class EnsembleChecks {

  private static final int LARGEST_SIZE = StridedImageConvolution.LARGEST_SIDE;
  private static final int MOST_NODES = 64;

  private EnsembleChecks() {}

  /**
   * Returns the first fault, or empty if the options are valid.
   *
   * @param here this machine, if workers run on it
   */
  static Optional<String> fault(EnsembleOptions options, Optional<HostInfo> here) {
    List<String> faults = new ArrayList<>();
    atLeast(
        faults, "--mnist-workers", options.mnistWorkers, 2, "the learning rates span 0.5 to 1.5");
    atLeast(faults, "--scipy-workers", options.scipyWorkers, 1, "the pool needs a worker");
    atLeast(faults, "--size", options.size, 4, "the filter is 4x4");
    atLeast(faults, "--batch-size", options.batchSize, 1, "a step needs an image");
    atLeast(faults, "--test-batch-size", options.testBatchSize, 1, "a step needs an image");
    atLeast(faults, "--epochs", options.epochs, 1, "a result needs an epoch");
    atLeast(faults, "--join-nodes", options.joinNodes, 0, "0 waits for none");
    int nodes = options.localNodes();
    if (nodes < 0 || nodes > MOST_NODES) {
      faults.add("--nodes must be 0 to " + MOST_NODES + ", got " + nodes);
    }
    if (nodes + options.joinNodes < 1) {
      faults.add("--nodes 0 needs --join-nodes 1 or more: nothing could run");
    }
    if (!(options.gamma > 0) || Double.isInfinite(options.gamma)) {
      faults.add("--gamma must be above 0, got " + options.gamma);
    }
    if (options.cpus != null && (!(options.cpus > 0) || Double.isInfinite(options.cpus))) {
      faults.add("--cpus must be above 0, got " + options.cpus);
    }
    if (!(options.interval >= 0.2 && options.interval <= 60)) {
      faults.add("--interval must be 0.2 to 60 seconds, got " + options.interval);
    }
    imageFaults(faults, options);
    here.ifPresent(host -> memoryFaults(faults, options, host));
    return faults.stream().findFirst();
  }

  private static void atLeast(
      List<String> faults, String option, int value, int least, String why) {
    if (value < least) {
      faults.add(option + " must be at least " + least + ", got " + value + ": " + why);
    }
  }

  /** Checks that one training fits; trainings that do not fit at once run one after the other. */
  private static void memoryFaults(List<String> faults, EnsembleOptions options, HostInfo host) {
    long needed = WorkerMemoryEstimate.training(options.batchSize, options.testBatchSize);
    if (needed > host.memAllowed()) {
      faults.add(
          "--batch-size "
              + options.batchSize
              + " and --test-batch-size "
              + options.testBatchSize
              + " need about "
              + (needed >> 20)
              + " MiB for one training, this machine allows "
              + (host.memAllowed() >> 20)
              + " MiB");
    }
    double forImages = WorkerMemoryEstimate.convolution(options.size) * options.scipyWorkers;
    if (forImages > host.memAllowed()) {
      faults.add(
          "--size "
              + options.size
              + " with "
              + options.scipyWorkers
              + " scipy workers needs "
              + (long) (forImages / (1 << 20))
              + " MiB, this machine allows "
              + (host.memAllowed() >> 20)
              + " MiB");
    }
  }

  private static void imageFaults(List<String> faults, EnsembleOptions options) {
    if (options.size > LARGEST_SIZE) {
      faults.add("--size must be at most " + LARGEST_SIZE + ", got " + options.size);
      return;
    }
    long pixels = (long) options.size * options.size;
    if (options.size >= 4 && options.mem / pixels < 1) {
      faults.add(
          "--mem "
              + options.mem
              + " holds no image of --size "
              + options.size
              + ": give at least "
              + pixels);
    }
    if (options.mem / Math.max(1, pixels) > Integer.MAX_VALUE) {
      faults.add("--mem " + options.mem + " makes too many images: give less or a larger --size");
    }
  }
}
