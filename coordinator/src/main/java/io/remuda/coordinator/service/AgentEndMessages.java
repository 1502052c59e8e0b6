package io.remuda.coordinator.service;

import io.remuda.coordinator.launch.AgentProcess;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Describes why agents ended unexpectedly; reports each cause only once. For one thread at a time.
 */
final class AgentEndMessages {

  private static final int SIGNALS = 128;

  /** A pause of so long comes after several starts in a row. */
  static final long LONG_MILLIS = 8000;

  private final Path log;
  private final Set<String> told = new HashSet<>();
  private boolean pauseTold;
  private long earlier; // bytes of the log that earlier agents wrote

  AgentEndMessages(Path log) {
    this.log = log;
  }

  /** Marks the start of a new agent: later lines of the log belong to it. */
  void begins() {
    earlier = log.toFile().length();
  }

  /**
   * Returns a message about the end; empty if it was ordered or the cause was reported before.
   *
   * @param pauseMillis to the next start; a long one is reported once, whatever the cause
   */
  Optional<String> ended(int exitCode, long pauseMillis) {
    if (exitCode == 0) {
      return Optional.empty();
    }
    if (pauseMillis < LONG_MILLIS) {
      pauseTold = false;
    } else if (!pauseTold) {
      pauseTold = true;
      return Optional.of(
          "the agent of this machine does not stay up: it is started again in "
              + pauseMillis / 1000
              + " s, and later once a minute (see "
              + log
              + ")");
    }
    String how =
        exitCode > SIGNALS
            ? "signal " + (exitCode - SIGNALS)
            : "exit code " + exitCode + ": " + AgentProcess.lastWords(log, earlier);
    String cause = exitCode + how.replaceAll("[0-9]+", "0"); // ignores times and numbers
    boolean isNew = told.add(cause);
    return isNew
        ? Optional.of(
            "the agent of this machine has ended and is started again: "
                + how
                + " (see "
                + log
                + "; this cause is reported only once)")
        : Optional.empty();
  }
}
