package io.remuda.coordinator.lifecycle;

import java.util.Locale;

/** Where a task stands. The lower-case name is what users see. */
public enum TaskState {
  /** It is known, and a job that has to end first has not. */
  SUBMITTED,
  /** Its user does not want it to start yet. */
  HELD,
  /** It has no place yet, or none any more. */
  WAITING,
  /** A node was told to run it. */
  STARTING,
  /** Its process is there. */
  RUNNING,
  /**
   * Its node is silent, or cannot end what is left of it; it may or may not run, so it is not
   * started elsewhere.
   */
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

  /** Whether nothing of a task in this state runs, though it may run later. */
  public boolean isBefore() {
    return this == SUBMITTED || this == HELD || this == WAITING;
  }

  /** What users see and type. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a task in this state holds its node and devices. */
  public boolean holdsPlace() {
    return this == STARTING || this == RUNNING || this == UNKNOWN || this == ENDING;
  }
}
