package io.remuda.worker.job.signal;

import java.util.Locale;

/** Which processes of a task get a signal. docs/ending.md documents them. */
public enum SignalReach {
  /**
   * The first process; if that is a plain shell without a handler for the signal, what it has
   * started. The usual one.
   */
  FIRST,
  /** What the first process has started, never the first process itself. */
  CHILDREN,
  /** Every process that handles the signal; if none does, every process. */
  ALL;

  private static final String END = ":";

  /** Leaves the usual reach out of JSON, so that earlier builds find what they know. */
  public static final class LeftOut {
    @Override
    public boolean equals(Object reach) {
      return reach == null || reach == FIRST;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  /**
   * The two parts of a text such as {@code all:USR1}.
   *
   * @param reach {@link #FIRST} unless the text has another one
   * @param rest what follows it, unchecked
   */
  public record Aim(SignalReach reach, String rest) {}

  /**
   * Separates a reach in front of a signal, in any case.
   *
   * @throws IllegalArgumentException if what stands before a colon is no reach; the message is for
   *     users
   */
  public static Aim aim(String text) {
    int end = text.indexOf(END);
    if (end < 0) {
      return new Aim(FIRST, text);
    }
    String word = text.substring(0, end).strip();
    for (SignalReach reach : values()) {
      if (reach.word().equals(word.toLowerCase(Locale.ROOT))) {
        return new Aim(reach, text.substring(end + 1));
      }
    }
    throw new IllegalArgumentException(
        "'" + word + END + "' says no processes: write first:, children: or all: before a signal");
  }

  /** Returns the word that users write. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns what stands before a signal's name: nothing for {@link #FIRST}. */
  public String prefix() {
    return this == FIRST ? "" : word() + END;
  }
}
