package io.remuda.coordinator.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says in one line what a job has waited for, from when to when. */
public final class PastWaitText {

  private static final int SHOWN = 8;
  private static final long MILLIS = 1000;
  private static final long MINUTE = 60;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd ", Locale.ROOT);

  private PastWaitText() {}

  /**
   * Returns the line, if the job has waited for more than what it waits for since a moment ago.
   *
   * @param waiting the server's answer
   * @param now with the zone in which times are
   */
  public static Optional<String> of(JsonNode waiting, ZonedDateTime now) {
    List<String> parts = new ArrayList<>();
    long waited = 0;
    for (JsonNode reason : waiting.path("reasons")) {
      long from = reason.path("from").asLong();
      long to = reason.path("to").asLong(now.toEpochSecond());
      waited += Math.max(0, to - from);
      parts.add(
          PrintableText.of(reason.path("reason").asText())
              + " "
              + span(from, reason.path("to").isNull() ? null : to, now));
    }
    JsonNode last = waiting.path("reasons").path(parts.size() - 1);
    if (parts.isEmpty() || parts.size() == 1 && last.path("to").isNull() && waited < MINUTE) {
      return Optional.empty();
    }
    int left = Math.max(0, parts.size() - SHOWN);
    return Optional.of(
        "waited "
            + SizeAndTimeParser.words(Math.max(1, rounded(waited)) * MILLIS)
            + ": "
            + (left > 0 ? left + " earlier ones, " : "")
            + String.join(", ", parts.subList(left, parts.size())));
  }

  private static long rounded(long seconds) {
    return seconds < 2 * MINUTE ? seconds : seconds / MINUTE * MINUTE;
  }

  /** Returns a time of day each, to the second if it is short; with its date if not of today. */
  private static String span(long from, Long to, ZonedDateTime now) {
    ZoneId zone = now.getZone();
    ZonedDateTime begin = Instant.ofEpochSecond(from).atZone(zone);
    boolean isShort = to != null && to - from < 2 * MINUTE;
    DateTimeFormatter form = isShort ? SECONDS : TIME;
    String first = day(begin.toLocalDate(), now.toLocalDate()) + form.format(begin);
    if (to == null) {
      return "since " + first;
    }
    ZonedDateTime end = Instant.ofEpochSecond(to).atZone(zone);
    return first + "-" + day(end.toLocalDate(), begin.toLocalDate()) + form.format(end);
  }

  private static String day(LocalDate day, LocalDate known) {
    return day.equals(known) ? "" : DATE.format(day);
  }
}
