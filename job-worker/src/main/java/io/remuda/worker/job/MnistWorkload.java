package io.remuda.worker.job;

import java.util.Objects;

/**
 * Trains the MNIST network once with one learning rate.
 *
 * @param learningRate learning rate of Adadelta, above 0
 * @param epochs number of epochs, at least 1
 * @param batchSize images per training step, at least 1
 * @param testBatchSize images per test step, at least 1
 * @param gamma factor applied to the learning rate after each epoch, above 0
 * @param seed seed of initial weights and dropout
 * @param dataFolder folder with the IDX files, or null for the cache
 * @param verifyData whether the files must be the genuine MNIST, checked by MD5
 */
public record MnistWorkload(
    double learningRate,
    int epochs,
    int batchSize,
    int testBatchSize,
    double gamma,
    long seed,
    String dataFolder,
    boolean verifyData)
    implements Workload {

  public MnistWorkload {
    RecordChecks.positive("learningRate", learningRate);
    RecordChecks.atLeast("epochs", 1, epochs);
    RecordChecks.atLeast("batchSize", 1, batchSize);
    RecordChecks.atLeast("testBatchSize", 1, testBatchSize);
    RecordChecks.positive("gamma", gamma);
  }

  /** Returns a copy that reads its data from {@code folder}. */
  public MnistWorkload withDataFolder(String folder) {
    Objects.requireNonNull(folder, "folder");
    return new MnistWorkload(
        learningRate, epochs, batchSize, testBatchSize, gamma, seed, folder, verifyData);
  }
}
