package io.remuda.coordinator.lifecycle;

/**
 * Why a task is being ended, which decides its next state. The order must not change: state files
 * contain the ordinals.
 */
public enum EndReason {
  /** Its user has cancelled it, or its gang has failed; also if it is not being ended. */
  ON_REQUEST,
  /** Its time limit has passed: it fails. */
  OVERDUE,
  /** The server is being stopped: if its node reports that it did not run, it waits again. */
  SERVER_STOPS,
  /** Its gang is to start again as a whole: it waits again, and nothing counts as lost. */
  GANG_STARTS_AGAIN
}
