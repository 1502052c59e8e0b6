package io.remuda.worker.workload.mnist;

/** Multiplies the learning rate by gamma after each epoch: PyTorch's StepLR with step 1. */
final class StepLr {

  private final Adadelta optimiser;
  private final double gamma;

  StepLr(Adadelta optimiser, double gamma) {
    this.optimiser = optimiser;
    this.gamma = gamma;
  }

  /** Updates the learning rate; called after each epoch. */
  void step() {
    optimiser.rate(optimiser.rate() * gamma);
  }
}
