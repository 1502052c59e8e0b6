package io.remuda.worker.workload.mnist;

/** Thrown when a run ends early at its listener's request; there is no result. */
public final class TrainingStoppedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TrainingStoppedException(int epoch) {
    super("training was stopped in epoch " + epoch);
  }
}
