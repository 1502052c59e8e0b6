package io.remuda.worker.workload.mnist;

/**
 * The result of a training run: the values of its last epoch.
 *
 * @param learningRate the initial learning rate
 * @param testLoss mean negative log likelihood over the test images
 * @param accuracy percentage of test images recognised, 0 to 100
 */
public record MnistResult(double learningRate, double testLoss, double accuracy)
    implements TrainingOutcome {}
