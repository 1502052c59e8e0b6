package io.remuda.agent.attempt;

import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.EndingTerms;

/** How long a task has between the signal that asks it to end and SIGKILL. */
public enum EndingGrace {
  /** As long as its job has asked for. */
  OWN,
  /** The node's setting, at most: others lack what it holds. */
  SHORT,
  /** No time at all. */
  NONE;

  /** Returns the longest grace that the keeper may give, in milliseconds. */
  public long mostMillis(AgentSettings settings) {
    return switch (this) {
      case OWN -> EndingTerms.MOST_GRACE_MILLIS;
      case SHORT -> settings.timing().grace().toMillis();
      case NONE -> 0;
    };
  }
}
