package io.remuda.coordinator.drawing.request;

import io.remuda.coordinator.drawing.DrawingOptions;
import io.remuda.coordinator.drawing.DrawingTheme;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is asked of a drawing.
 *
 * @param from first second since 1970; null if the drawing may choose
 * @param to later
 * @param values the other parameters by name
 */
record DrawingQuery(Long from, long to, DrawingOptions options, Map<String, String> values) {

  private static final int USUAL_WIDTH = 900;
  private static final int MOST_TEXT = 200;
  private static final long MOST_SECONDS = 100_000_000_000L;
  private static final String SINCE = "since";
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String WIDTH = "width";
  private static final String THEME = "theme";
  private static final String ZONE = "zone";
  private static final Set<String> COMMON = Set.of(SINCE, FROM, TO, WIDTH, THEME, ZONE);

  /**
   * Reads a query.
   *
   * @param own names of the parameters that the drawing has besides those of all
   * @param now in seconds since 1970
   * @throws IllegalArgumentException naming a parameter that is unknown or wrong
   */
  static DrawingQuery of(Map<String, String> asked, Set<String> own, long now) {
    for (Map.Entry<String, String> one : asked.entrySet()) {
      if (!COMMON.contains(one.getKey()) && !own.contains(one.getKey())) {
        Set<String> all = new TreeSet<>(COMMON);
        all.addAll(own);
        throw new IllegalArgumentException(
            "there is no parameter "
                + quoted(one.getKey())
                + "; there are "
                + String.join(", ", all));
      }
      if (one.getValue().length() > MOST_TEXT) {
        throw new IllegalArgumentException(
            one.getKey()
                + " has at most "
                + MOST_TEXT
                + " characters, got "
                + quoted(one.getValue()));
      }
    }
    long to = asked.containsKey(TO) ? second(TO, asked.get(TO)) : now + 1;
    Long from = null;
    if (asked.containsKey(FROM)) {
      from = second(FROM, asked.get(FROM));
    } else if (asked.containsKey(SINCE)) {
      from = Math.max(0, to - since(asked.get(SINCE)));
    }
    if (from != null && from >= to) {
      throw new IllegalArgumentException(
          "from must be earlier than to, got " + from + " and " + to);
    }
    return new DrawingQuery(from, to, options(asked), Map.copyOf(asked));
  }

  private static DrawingOptions options(Map<String, String> asked) {
    return new DrawingOptions(
        number(asked.getOrDefault(WIDTH, Integer.toString(USUAL_WIDTH))),
        theme(asked.getOrDefault(THEME, "auto")),
        zone(asked.getOrDefault(ZONE, "UTC")));
  }

  private static long second(String name, String text) {
    if (!text.matches("\\d{1,11}") || Long.parseLong(text) > MOST_SECONDS) {
      throw new IllegalArgumentException(name + " is in seconds since 1970, got " + quoted(text));
    }
    return Long.parseLong(text);
  }

  /**
   * Reads a length of time.
   *
   * @return seconds, more than 0
   * @throws IllegalArgumentException if it is none
   */
  static long since(String text) {
    try {
      Duration length = SizeAndTimeParser.time(text);
      if (length.toSeconds() > 0) {
        return length.toSeconds();
      }
    } catch (IllegalArgumentException no) {
      // said below
    }
    throw new IllegalArgumentException(
        "since " + quoted(text) + " is not a time: write 15m, 6h or 14d");
  }

  private static int number(String text) {
    if (!text.matches("\\d{1,6}")) {
      throw new IllegalArgumentException("width is a number of pixels, got " + quoted(text));
    }
    return Integer.parseInt(text);
  }

  private static DrawingTheme theme(String text) {
    return Arrays.stream(DrawingTheme.values())
        .filter(theme -> theme.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "theme is one of "
                        + Arrays.stream(DrawingTheme.values())
                            .map(theme -> theme.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))
                        + ", got "
                        + quoted(text)));
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException no) {
      throw new IllegalArgumentException(
          "zone is a time zone such as Europe/Berlin or UTC, got " + quoted(text), no);
    }
  }

  private static String quoted(String text) {
    return "'" + PrintableText.of(PrintableText.beginning(text, 80)) + "'";
  }

  /** Returns the first second, or one so long before the end if none was asked for. */
  long from(long usualSeconds) {
    return from == null ? Math.max(0, to - usualSeconds) : from;
  }

  /**
   * Returns a value.
   *
   * @throws IllegalArgumentException if there is none
   */
  String value(String name) {
    String value = values.get(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  /** Returns a number of a job or task. */
  String job(String name) {
    String value = value(name);
    if (!value.matches("[1-9]\\d{0,17}(\\.\\d{1,7}){0,2}")) {
      throw new IllegalArgumentException(name + " is a number such as 12, got " + quoted(value));
    }
    return value;
  }

  /** Returns the metrics that are asked for; none for all. */
  List<String> metrics() {
    String metrics = values.getOrDefault("metric", "");
    return metrics.isBlank() ? List.of() : List.of(metrics.split(","));
  }

  /** Returns the points that a curve needs. */
  int points() {
    return Math.min(1500, options.width());
  }
}
