package io.remuda.coordinator.schedule;

/** Why a node that is there gets no tasks for a while; what runs on it goes on. */
public sealed interface NodePause {

  /**
   * Something that tasks need to begin or to end does not go on there.
   *
   * @param what in words
   * @param sinceMillis since 1970
   */
  record Standstill(String what, long sinceMillis) implements NodePause {}

  /**
   * Tasks that were sent there could not begin, for want of something on the node.
   *
   * @param count in a row
   * @param cause of the last
   * @param millis for which it gets none; then one is sent to see
   */
  record Failures(int count, String cause, long millis) implements NodePause {}
}
