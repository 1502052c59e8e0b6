package io.remuda.coordinator.rest.query;

import io.remuda.coordinator.history.HistoryMetric;
import io.remuda.coordinator.history.SeriesKind;
import io.remuda.coordinator.jobfield.ShortenedValues;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A question for readings over time.
 *
 * @param names of series, or parts before a dot of tasks' names; all of the kind if it is empty
 * @param metrics of the kind that are wanted
 * @param reported names of metrics that programs report which are wanted; null for all
 * @param from first second since 1970; {@link #START} for the beginning of the tasks
 * @param to second after the last
 * @param points of a curve at most
 */
public record HistoryQuery(
    SeriesKind kind,
    List<String> names,
    Set<HistoryMetric> metrics,
    Set<String> reported,
    long from,
    long to,
    int points) {

  /** Stands for the time when the tasks began. */
  public static final long START = Long.MIN_VALUE;

  private static final String START_WORD = "start";

  /** A name that a program can report. */
  private static final Pattern REPORTED = Pattern.compile("[A-Za-z_][A-Za-z0-9_./:@%+=#-]{0,63}");

  private static final int USUAL_POINTS = 900;
  private static final int MOST_POINTS = 10_000;
  private static final long USUAL_SECONDS = 900;
  private static final Set<String> NAMES = Set.of("kind", "name", "metric", "from", "to", "points");

  public HistoryQuery {
    names = List.copyOf(names);
    metrics = Set.copyOf(metrics);
    reported = reported == null ? null : Set.copyOf(reported);
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
    List<String> names = list(asked.get("name"));
    List<String> metrics = list(asked.get("metric"));
    boolean start = START_WORD.equals(asked.get("from"));
    if (start && (kind != SeriesKind.TASK || names.isEmpty())) {
      throw new IllegalArgumentException("from=start is for tasks by their names");
    }
    return new HistoryQuery(
        kind,
        names,
        metrics(kind, metrics),
        metrics.isEmpty() ? null : Set.copyOf(metrics),
        start
            ? START
            : QueryParameters.number(Optional.ofNullable(asked.get("from")), to - USUAL_SECONDS),
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
      if (kind == SeriesKind.TASK && isReported(name)) {
        continue;
      }
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

  private static boolean isReported(String name) {
    return REPORTED.matcher(name).matches()
        && SeriesKind.TASK.metrics().stream().noneMatch(metric -> metric.label().equals(name));
  }

  /** Returns whether a metric that a program reports is asked for. */
  public boolean wantsReported(String name) {
    return reported == null || reported.contains(name);
  }

  /** Returns the jobs of the tasks that are asked for by name. */
  public Set<Long> jobs() {
    Set<Long> jobs = new TreeSet<>();
    if (kind == SeriesKind.TASK) {
      for (String name : names) {
        String job = name.replaceFirst("\\..*", "");
        if (job.matches("\\d{1,18}")) {
          jobs.add(Long.parseLong(job));
        }
      }
    }
    return jobs;
  }

  /** Returns the question for another time. */
  public HistoryQuery within(long first, long last) {
    return new HistoryQuery(kind, names, metrics, reported, first, last, points);
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
