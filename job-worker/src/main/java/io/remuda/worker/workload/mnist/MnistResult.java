package io.remuda.worker.workload.mnist;

/**
 * What one training run came to: the values of its last epoch.
 *
 * @param learningRate the one it started with
 * @param testLoss mean negative log likelihood over the test images
 * @param accuracy per cent of the test images recognised, 0 to 100
 */
public record MnistResult(double learningRate, double testLoss, double accuracy) {}
