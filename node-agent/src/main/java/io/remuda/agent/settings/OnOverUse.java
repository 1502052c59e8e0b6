package io.remuda.agent.settings;

import com.typesafe.config.Config;
import java.util.Locale;

/**
 * The reaction to a task that uses more of a GPU than promised when other tasks need the memory.
 */
public enum OnOverUse {
  /** The task is ended. */
  STOP,
  /** The task is only warned; other tasks on the GPU may fail. */
  WARN;

  /**
   * Reads {@code on-overuse} under {@code remuda.agent}.
   *
   * @throws IllegalArgumentException naming the value if it is invalid
   */
  public static OnOverUse from(Config agent) {
    String text = agent.getString("on-overuse");
    for (OnOverUse one : values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(text)) {
        return one;
      }
    }
    throw new IllegalArgumentException("on-overuse must be stop or warn, got '" + text + "'");
  }
}
