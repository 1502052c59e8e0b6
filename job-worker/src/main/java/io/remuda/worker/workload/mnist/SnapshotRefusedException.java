package io.remuda.worker.workload.mnist;

/**
 * Thrown when a snapshot is whole but is not this training's, or is of a version that this build
 * does not read. The message names the file and both values. A repetition would be refused again.
 */
public final class SnapshotRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  SnapshotRefusedException(String message) {
    super(message);
  }
}
