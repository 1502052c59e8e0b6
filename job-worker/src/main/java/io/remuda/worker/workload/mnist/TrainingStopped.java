package io.remuda.worker.workload.mnist;

/** The run ended early because its listener asked for it; there is no result. */
public final class TrainingStopped extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TrainingStopped(int epoch) {
    super("training was stopped in epoch " + epoch);
  }
}
