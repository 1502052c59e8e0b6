package io.remuda.coordinator.drawing;

import java.util.Objects;

/**
 * A part of a row of attempts: a time of waiting, or an attempt.
 *
 * @param from in seconds since 1970
 * @param to end, likewise; null if it has not ended
 * @param place the node, or why it waited
 * @param words what is said when it is pointed at
 */
public record AttemptSpan(long from, Long to, Kind kind, String place, String words) {

  /** What it is, and how it ended. */
  public enum Kind {
    WAITED("waited", ""),
    RUNS("runs", "M-2-4L3 0L-2 4"),
    SUCCEEDED("succeeded", "M-4 0L-1 4L5-4"),
    FAILED("failed", "M-4-4L4 4M-4 4L4-4"),
    CANCELLED("cancelled", "M-4-4V4M0-4V4"),
    LOST("lost", "M-3-3C-3-6 3-6 3-3C3-1 0-1 0 1M0 4V4.2"),
    AGAIN("tried again", "M3-3A4 4 0 1 0 4 1M4-5V-2H1");

    private final String words;
    private final String sign;

    Kind(String words, String sign) {
      this.words = words;
      this.sign = sign;
    }

    /** Returns it for people. */
    public String words() {
      return words;
    }

    /** Returns its sign as a path around 0, 0; empty for none. */
    String sign() {
      return sign;
    }

    String signClass() {
      return switch (this) {
        case SUCCEEDED -> "y good";
        case FAILED, LOST -> "y bad";
        default -> "y late";
      };
    }
  }

  public AttemptSpan {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(words, "words");
  }

  long end(long last) {
    return to == null ? last : to;
  }
}
