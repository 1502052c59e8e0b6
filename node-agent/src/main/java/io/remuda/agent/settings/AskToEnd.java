package io.remuda.agent.settings;

import com.typesafe.config.Config;
import io.remuda.agent.keeper.ReachedProcesses;
import java.util.Locale;

/** Which processes of a task are asked first when it is to end. docs/ending.md has the rules. */
public enum AskToEnd {
  /** The first process; what it has started is asked when that has ended. */
  FIRST(ReachedProcesses.FIRST),
  /** All processes at once, as builds before decision 40 did. */
  ALL(ReachedProcesses.EVERY);

  private final ReachedProcesses reach;

  AskToEnd(ReachedProcesses reach) {
    this.reach = reach;
  }

  /** Returns what the keeper is told. */
  public ReachedProcesses reach() {
    return reach;
  }

  /**
   * Reads {@code ask-to-end} under {@code remuda.agent}.
   *
   * @throws IllegalArgumentException naming the value if it is invalid
   */
  public static AskToEnd from(Config agent) {
    String text = agent.getString("ask-to-end");
    for (AskToEnd one : values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(text)) {
        return one;
      }
    }
    throw new IllegalArgumentException("ask-to-end must be first or all, got '" + text + "'");
  }
}
