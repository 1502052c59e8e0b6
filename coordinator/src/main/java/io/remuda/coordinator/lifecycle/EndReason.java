package io.remuda.coordinator.lifecycle;

/**
 * Why a task is being ended, as far as that decides what becomes of it. The order is that of the
 * numbers in the state file.
 */
public enum EndReason {
  /** Its user wants it ended, or a job that it belongs to has failed; or it is not being ended. */
  ON_REQUEST,
  /** Its time limit has passed: it fails. */
  OVERDUE,
  /** The server is being stopped: if its node says that nothing of it ran, it waits again. */
  SERVER_STOPS
}
