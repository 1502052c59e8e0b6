package io.remuda.coordinator.schedule.model;

/** Why a node temporarily gets no tasks; running tasks continue. */
public sealed interface NodePause {

  /**
   * Something that tasks need in order to begin or end does not respond, such as a disk.
   *
   * @param what for people
   * @param sinceMillis start in milliseconds since 1970
   */
  record Standstill(String what, long sinceMillis) implements NodePause {}

  /**
   * Tasks could not begin there because the node lacks something.
   *
   * @param count number of failures in a row
   * @param cause of the last failure
   * @param millis length of the pause; then one trial task is sent
   */
  record Failures(int count, String cause, long millis) implements NodePause {}

  /**
   * A user has drained it.
   *
   * @param reason that was given, for people
   */
  record Drained(String reason) implements NodePause {}
}
