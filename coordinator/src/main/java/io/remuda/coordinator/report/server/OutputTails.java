package io.remuda.coordinator.report.server;

import java.io.IOException;

/** The ends of what tasks have printed. */
@FunctionalInterface
public interface OutputTails {

  /**
   * Returns the last lines of a task's newest attempt; empty if there are none.
   *
   * @param stream {@code out} or {@code err}
   * @throws IOException if the server does not give them
   */
  String tail(long job, int task, String stream) throws IOException;
}
