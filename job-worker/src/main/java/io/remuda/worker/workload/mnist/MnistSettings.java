package io.remuda.worker.workload.mnist;

import java.util.Map;

/**
 * The settings of a training run.
 *
 * @param learningRate Adadelta's initial factor, above 0
 * @param epochs passes over the training images, at least 1
 * @param batchSize training images per step, at least 1
 * @param testBatchSize test images per batch, at least 1
 * @param gamma factor applied to the learning rate after each epoch, above 0
 * @param seed seed of weights, dropout and image order
 * @param cuda whether to train on the first visible CUDA device, if there is one
 * @param threads maximum number of CPU threads of one operation, at least 1
 */
public record MnistSettings(
    double learningRate,
    int epochs,
    int batchSize,
    int testBatchSize,
    double gamma,
    long seed,
    boolean cuda,
    int threads) {

  public MnistSettings {
    check("learningRate", learningRate, learningRate > 0 && learningRate < Double.MAX_VALUE);
    check("epochs", epochs, epochs > 0);
    check("batchSize", batchSize, batchSize > 0);
    check("testBatchSize", testBatchSize, testBatchSize > 0);
    check("gamma", gamma, gamma > 0 && gamma < Double.MAX_VALUE);
    check("threads", threads, threads > 0);
  }

  /**
   * Returns the settings that a training and the snapshot it continues from must share, by name.
   */
  Map<String, String> ofSnapshot() {
    return Map.of(
        "learningRate", Double.toString(learningRate),
        "gamma", Double.toString(gamma),
        "batchSize", Integer.toString(batchSize),
        "testBatchSize", Integer.toString(testBatchSize),
        "seed", Long.toString(seed));
  }

  private static void check(String name, Object value, boolean good) {
    if (!good) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be above 0");
    }
  }
}
