package io.remuda.worker.workload.mnist;

/**
 * The results of one epoch.
 *
 * @param epoch number of the epoch, from 1
 * @param epochs total number of epochs
 * @param trainLoss mean negative log likelihood over the epoch's training images, each measured in
 *     its training step, with dropout
 * @param testLoss mean negative log likelihood over the test images, after the epoch
 * @param accuracy percentage of test images recognised, 0 to 100
 * @param seconds wall-clock time of training and test
 */
public record EpochReport(
    int epoch, int epochs, double trainLoss, double testLoss, double accuracy, double seconds) {}
