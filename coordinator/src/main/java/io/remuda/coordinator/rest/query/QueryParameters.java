package io.remuda.coordinator.rest.query;

import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.telemetry.render.PrintableText;
import java.util.List;
import java.util.Optional;

/** Parses values in the query part of a request. */
public final class QueryParameters {

  private static final int MOST_REASON = 200;
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

  /**
   * Returns the names of GPUs.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static List<String> gpus(Optional<String> text) {
    List<String> names = List.of(text.orElse("").split(",", -1));
    if (names.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "gpu must be numbers or UUIDs of GPUs, separated by commas, got "
              + ShortenedValues.quoted(text.orElse("")));
    }
    return names;
  }

  /**
   * Returns the reason of a change, or null if none is given.
   *
   * @throws IllegalArgumentException if it is empty, too long or not printable
   */
  public static String reason(Optional<String> text) {
    text.ifPresent(
        reason -> {
          if (reason.isBlank() || reason.length() > MOST_REASON || !PrintableText.isName(reason)) {
            throw new IllegalArgumentException(
                "reason must be 1 to "
                    + MOST_REASON
                    + " printable characters, got "
                    + ShortenedValues.quoted(reason));
          }
        });
    return text.orElse(null);
  }
}
