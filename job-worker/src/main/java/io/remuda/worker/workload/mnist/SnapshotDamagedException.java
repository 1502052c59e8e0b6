package io.remuda.worker.workload.mnist;

/** Thrown when bytes are no whole snapshot; the message says in what respect. */
final class SnapshotDamagedException extends Exception {

  private static final long serialVersionUID = 1L;

  SnapshotDamagedException(String message) {
    super(message);
  }
}
