package io.remuda.coordinator.rest.query;

import io.remuda.coordinator.jobfield.ShortenedValues;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A question for what attempts have used.
 *
 * @param since first day in UTC
 * @param until last day, included
 * @param user whose attempts; null for all users
 */
public record UsageQuery(LocalDate since, LocalDate until, Grouping by, String user) {

  private static final int USUAL_DAYS = 7;
  private static final Set<String> NAMES = Set.of("since", "until", "by", "user");

  /** What sums are by. */
  public enum Grouping {
    USER,
    TYPE,
    NODE,
    DAY,
    JOB;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static Grouping of(String text) {
      return Stream.of(values())
          .filter(one -> one.label().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "by is one of "
                          + Stream.of(values())
                              .map(Grouping::label)
                              .collect(Collectors.joining(", "))
                          + ", got "
                          + ShortenedValues.quoted(text)));
    }
  }

  public UsageQuery {
    if (since.isAfter(until)) {
      throw new IllegalArgumentException(
          "since must be no later than until, got " + since + " and " + until);
    }
  }

  /**
   * Reads the query part of a request.
   *
   * @param today in UTC
   * @throws IllegalArgumentException naming a parameter that is unknown or wrong
   */
  public static UsageQuery of(Map<String, String> asked, LocalDate today) {
    for (String name : asked.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "there is no parameter "
                + ShortenedValues.quoted(name)
                + "; there are since, until, by and user");
      }
    }
    LocalDate until = day("until", asked, today);
    return new UsageQuery(
        day("since", asked, until.minusDays(USUAL_DAYS)),
        until,
        Grouping.of(asked.getOrDefault("by", Grouping.USER.label())),
        asked.get("user"));
  }

  private static LocalDate day(String name, Map<String, String> asked, LocalDate usual) {
    String text = asked.get(name);
    try {
      return text == null ? usual : LocalDate.parse(text);
    } catch (DateTimeParseException no) {
      throw new IllegalArgumentException(
          name + " is a day such as 2026-11-25, got " + ShortenedValues.quoted(text));
    }
  }

  /** Returns the question for the attempts of one user. */
  public UsageQuery of(String other) {
    return new UsageQuery(since, until, by, other);
  }
}
