package io.remuda.coordinator.drawing;

import java.util.Objects;

/**
 * A part of a GPU's memory.
 *
 * @param label whose it is, as {@code job 12}
 * @param bytes how much
 */
public record MemoryPart(String label, long bytes, Kind kind) {

  /** Whose it is. */
  public enum Kind {
    /** Used by a task of ours. */
    USED("used"),
    /** Promised to a task and not used by it. */
    LENT("lent, not used"),
    /** Used by programs that are not ours. */
    FOREIGN("of others"),
    /** Promised to a task, or used, and nobody says by whom how much is used. */
    UNKNOWN("of which the use is not known");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  public MemoryPart {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(kind, "kind");
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative, got " + bytes);
    }
  }
}
