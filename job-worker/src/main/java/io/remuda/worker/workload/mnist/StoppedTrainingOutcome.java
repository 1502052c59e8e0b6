package io.remuda.worker.workload.mnist;

/**
 * A training that stopped on request. The snapshot of its last epoch is durable; the next run with
 * that folder continues after this epoch.
 *
 * @param epoch number of epochs done, at least 1 and less than {@code epochs}
 * @param epochs total number of epochs
 */
public record StoppedTrainingOutcome(int epoch, int epochs) implements TrainingOutcome {

  /** Returns the sentence for the user, such as "stopped after epoch 3 of 20". */
  public String text() {
    return "stopped after epoch " + epoch + " of " + epochs;
  }
}
