package io.remuda.coordinator.rest.query;

import io.remuda.coordinator.history.HistoryMetric;
import io.remuda.coordinator.history.SeriesKind;
import io.remuda.coordinator.rest.request.ShortenedValues;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A question for readings over time.
 *
 * @param names of series, or parts before a dot of tasks' names; all of the kind if it is empty
 * @param from first second since 1970
 * @param to second after the last
 * @param points of a curve at most
 */
public record HistoryQuery(
    SeriesKind kind,
    List<String> names,
    Set<HistoryMetric> metrics,
    long from,
    long to,
    int points) {

  private static final int USUAL_POINTS = 900;
  private static final int MOST_POINTS = 10_000;
  private static final long USUAL_SECONDS = 900;
  private static final Set<String> NAMES = Set.of("kind", "name", "metric", "from", "to", "points");

  public HistoryQuery {
    names = List.copyOf(names);
    metrics = Set.copyOf(metrics);
    if (from >= to) {
      throw new IllegalArgumentException(
          "from must be earlier than to, got " + from + " and " + to);
    }
  }

  /**
   * Reads the query part of a request.
   *
   * @param now in seconds since 1970
   * @throws IllegalArgumentException naming a parameter that is unknown or wrong
   */
  public static HistoryQuery of(Map<String, String> asked, long now) {
    for (String name : asked.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "there is no parameter "
                + ShortenedValues.quoted(name)
                + "; there are kind, name, metric, from, to and points");
      }
    }
    SeriesKind kind = kind(asked.getOrDefault("kind", SeriesKind.GPU.label()));
    long to = QueryParameters.number(Optional.ofNullable(asked.get("to")), now + 1);
    long points = QueryParameters.number(Optional.ofNullable(asked.get("points")), USUAL_POINTS);
    if (points < 1 || points > MOST_POINTS) {
      throw new IllegalArgumentException("points must be 1 to " + MOST_POINTS + ", got " + points);
    }
    return new HistoryQuery(
        kind,
        list(asked.get("name")),
        metrics(kind, list(asked.get("metric"))),
        QueryParameters.number(Optional.ofNullable(asked.get("from")), to - USUAL_SECONDS),
        to,
        (int) points);
  }

  private static List<String> list(String text) {
    return text == null || text.isBlank() ? List.of() : List.of(text.split(","));
  }

  private static SeriesKind kind(String text) {
    return SeriesKind.of(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind is one of "
                        + Arrays.stream(SeriesKind.values())
                            .map(SeriesKind::label)
                            .collect(Collectors.joining(", "))
                        + ", got "
                        + ShortenedValues.quoted(text)));
  }

  private static Set<HistoryMetric> metrics(SeriesKind kind, List<String> wanted) {
    if (wanted.isEmpty()) {
      return Set.copyOf(kind.metrics());
    }
    Set<HistoryMetric> found = EnumSet.noneOf(HistoryMetric.class);
    for (String name : wanted) {
      found.add(
          kind.metrics().stream()
              .filter(metric -> metric.label().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "the metrics of a "
                              + kind.name().toLowerCase(Locale.ROOT)
                              + " are "
                              + kind.metrics().stream()
                                  .map(HistoryMetric::label)
                                  .collect(Collectors.joining(", "))
                              + ", got "
                              + ShortenedValues.quoted(name))));
    }
    return found;
  }

  /** Returns whether a series is asked for. */
  public boolean wants(String name) {
    return names.isEmpty()
        || names.stream()
            .anyMatch(
                wanted ->
                    name.equals(wanted)
                        || (kind == SeriesKind.TASK && name.startsWith(wanted + ".")));
  }
}
