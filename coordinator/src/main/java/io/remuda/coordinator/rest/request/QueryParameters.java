package io.remuda.coordinator.rest.request;

import java.util.Optional;

/** Parses values in the query part of a request. */
public final class QueryParameters {

  private static final int MOST_ROWS = 10_000;
  private static final int USUAL_ROWS = 1000;

  private QueryParameters() {}

  /**
   * Parses a number of at most 18 digits.
   *
   * @throws IllegalArgumentException if the text is not a number; the message contains it
   */
  public static long number(Optional<String> text, long usual) {
    if (text.isEmpty()) {
      return usual;
    }
    if (!text.get().matches("\\d{1,18}")) {
      throw new IllegalArgumentException("not a number: " + ShortenedValues.quoted(text.get()));
    }
    return Long.parseLong(text.get());
  }

  /**
   * Parses the index of a task or the number of an attempt; 0 if absent.
   *
   * @throws IllegalArgumentException if the text is not a number, or is too large
   */
  public static int index(Optional<String> text) {
    long number = number(text, 0);
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("there is no number as high as " + number);
    }
    return (int) number;
  }

  /** Returns the number of requested rows, within its limits. */
  public static int rows(Optional<String> limit) {
    return (int) Math.max(1, Math.min(MOST_ROWS, number(limit, USUAL_ROWS)));
  }
}
