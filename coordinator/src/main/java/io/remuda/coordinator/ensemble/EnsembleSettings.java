package io.remuda.coordinator.ensemble;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a run.
 *
 * @param mnistWorkers trainings, one learning rate each; at least 2
 * @param scipyWorkers workers of the convolution pool; at least 1
 * @param useCuda whether trainings take a GPU each
 * @param size side of an image in pixels; at least 4
 * @param mem number of elements of all images together
 * @param batchSize of training
 * @param testBatchSize of testing
 * @param epochs of each training; at least 1
 * @param gamma factor of the learning rate after each epoch
 * @param seed of all random numbers
 * @param nodes number of agents that the run starts
 * @param joiningNodes number of agents that are started elsewhere and join
 * @param cpus that the run may use on each machine, or 0 for all that are allowed
 * @param dataFolder with the MNIST files, or null for the cache
 * @param verifyData whether they must be the genuine ones
 * @param interval telemetry period
 */
public record EnsembleSettings(
    int mnistWorkers,
    int scipyWorkers,
    boolean useCuda,
    int size,
    long mem,
    int batchSize,
    int testBatchSize,
    int epochs,
    double gamma,
    long seed,
    int nodes,
    int joiningNodes,
    double cpus,
    Path dataFolder,
    boolean verifyData,
    Duration interval) {

  /** Returns the number of images of the convolution pool: {@code int(mem / size²)}. */
  public int images() {
    return (int) Math.min(Integer.MAX_VALUE, mem / ((long) size * size));
  }

  /** Returns the learning rate of a training; the rates span 0.5 to 1.5. */
  public double learningRate(int index) {
    return (double) index / (mnistWorkers - 1) + 0.5;
  }

  /** Returns the number of all nodes of the run. */
  public int allNodes() {
    return nodes + joiningNodes;
  }
}
