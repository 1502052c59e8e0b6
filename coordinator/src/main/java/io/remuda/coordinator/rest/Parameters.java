package io.remuda.coordinator.rest;

import java.util.Optional;

/** Values in the query part of a request. */
final class Parameters {

  private static final int MOST_ROWS = 10_000;
  private static final int USUAL_ROWS = 1000;

  private Parameters() {}

  /**
   * A number of at most 18 digits.
   *
   * @throws IllegalArgumentException naming the value that is none
   */
  static long number(Optional<String> text, long usual) {
    if (text.isEmpty()) {
      return usual;
    }
    if (!text.get().matches("\\d{1,18}")) {
      throw new IllegalArgumentException("not a number: '" + text.get() + "'");
    }
    return Long.parseLong(text.get());
  }

  /** How many rows are asked for. */
  static int rows(Optional<String> limit) {
    return (int) Math.max(1, Math.min(MOST_ROWS, number(limit, USUAL_ROWS)));
  }
}
