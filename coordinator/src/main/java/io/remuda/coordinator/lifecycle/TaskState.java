package io.remuda.coordinator.lifecycle;

import java.util.Locale;

/** The state of a task. Users see the lower-case name. */
public enum TaskState {
  /** It waits for another job to end. */
  SUBMITTED,
  /** Its user has put it on hold. */
  HELD,
  /** It waits for a place on a node. */
  WAITING,
  /** It has a place, and its node is to start it. */
  STARTING,
  /** Its process runs. */
  RUNNING,
  /**
   * Its node is silent or cannot end its processes. It may still run, so it is not started
   * elsewhere.
   */
  UNKNOWN,
  /** It is to leave its place and may save its work; then it waits again. */
  STOPPING,
  /** It is to end and has not ended yet. */
  ENDING,
  /** It ended with a result. */
  SUCCEEDED,
  /** It ended with an error of its own. */
  FAILED,
  /** It was ended on request. */
  CANCELLED,
  /** It was interrupted more often than allowed. */
  LOST;

  /** Returns whether no trigger leads out of this state. */
  public boolean isFinal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED || this == LOST;
  }

  /** Returns whether a task in this state does not run yet but may run later. */
  public boolean isBefore() {
    return this == SUBMITTED || this == HELD || this == WAITING;
  }

  /** Returns whether the processes of a task in this state are to end. */
  public boolean isLeaving() {
    return this == STOPPING || this == ENDING;
  }

  /** Returns the name that users see and type. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether a task in this state holds a place on a node and its devices. */
  public boolean holdsPlace() {
    return this == STARTING || this == RUNNING || this == UNKNOWN || isLeaving();
  }
}
