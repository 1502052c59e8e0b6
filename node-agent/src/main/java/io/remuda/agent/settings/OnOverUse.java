package io.remuda.agent.settings;

import com.typesafe.config.Config;
import java.util.Locale;

/** What becomes of a task that uses more of a GPU than it was promised, once others lack it. */
public enum OnOverUse {
  /** It is ended. */
  STOP,
  /** It is warned only, and its neighbours may fail. */
  WARN;

  /**
   * Reads {@code on-overuse} under {@code remuda.agent}.
   *
   * @throws IllegalArgumentException naming the value if it is none of these
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
