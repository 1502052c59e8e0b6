package io.remuda.coordinator.lifecycle;

/** Where a task stands. The lower-case name is what users see. */
public enum TaskState {
  /** It has no place yet, or none any more. */
  WAITING,
  /** A node was told to run it. */
  STARTING,
  /** Its process is there. */
  RUNNING,
  /** Its node is silent; it may or may not run, so it is not started elsewhere. */
  UNKNOWN,
  /** It was told to end and is not gone yet. */
  ENDING,
  /** It ended with a result. */
  SUCCEEDED,
  /** It ended by a fault of its own. */
  FAILED,
  /** It was ended on request. */
  CANCELLED,
  /** It was interrupted more often than it may be. */
  LOST;

  /** Whether no event leads out of this state. */
  public boolean isFinal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED || this == LOST;
  }

  /** Whether a task in this state holds its node and devices. */
  public boolean holdsPlace() {
    return this == STARTING || this == RUNNING || this == UNKNOWN || this == ENDING;
  }
}
