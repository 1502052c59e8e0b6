package io.remuda.coordinator.cli.top;

import java.io.IOException;
import java.util.List;

/** What a user can do with a job on the screen. Each call waits for the server. */
public interface TopActions {

  /** Cancels a job; returns what became of it, for people. */
  String cancel(long job) throws IOException;

  /** Returns lines about a job: why it waits, and the end of what it has printed. */
  List<String> details(long job) throws IOException;
}
