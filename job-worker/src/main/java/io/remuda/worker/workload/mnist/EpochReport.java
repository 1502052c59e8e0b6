package io.remuda.worker.workload.mnist;

/**
 * What one epoch came to.
 *
 * @param epoch which one, from 1
 * @param epochs how many there will be
 * @param trainLoss mean negative log likelihood over the epoch's training images, each taken when
 *     it was trained on, with dropout
 * @param testLoss mean negative log likelihood over the test images, after the epoch
 * @param accuracy per cent of the test images recognised, 0 to 100
 * @param seconds wall-clock time of training and test
 */
public record EpochReport(
    int epoch, int epochs, double trainLoss, double testLoss, double accuracy, double seconds) {}
