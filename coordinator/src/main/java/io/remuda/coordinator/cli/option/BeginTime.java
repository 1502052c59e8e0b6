package io.remuda.coordinator.cli.option;

import io.remuda.worker.job.SizeAndTimeParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Times at which a job may begin, as people write them: {@code 22:00}, {@code now+2h}, {@code
 * tomorrow 06:00}, {@code 2026-11-26 22:00}, {@code 2026-11-26T22:00:00Z}, and as Slurm has them:
 * {@code now+2hours}, {@code now+3600} in seconds. Without a zone they are in that of the shell.
 */
public final class BeginTime {

  private static final String HOW =
      "write 22:00, now+2h, tomorrow 06:00, 2026-11-26 22:00 or 2026-11-26T22:00:00Z";

  private static final int DAYS_OF_A_WEEK = 7;

  private static final Pattern SLURM =
      Pattern.compile("(\\d{1,9})(|(?:second|minute|hour|day|week)s?)");

  private BeginTime() {}

  /**
   * Returns the instant of a text.
   *
   * @param now in the zone of the shell
   * @throws IllegalArgumentException if it is not a time; the message is for users
   */
  public static Instant parse(String text, ZonedDateTime now) {
    String plain = text.strip();
    try {
      return at(plain, now);
    } catch (DateTimeException wrong) {
      throw new IllegalArgumentException("'" + text + "' is not a time: " + HOW, wrong);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time (" + wrong.getMessage() + "): " + HOW, wrong);
    }
  }

  /**
   * Returns the instant that was given with an option, as text; null for none.
   *
   * @param option as {@code --begin}
   * @throws ParameterException if it is not a time
   */
  public static String option(String option, String text, CommandSpec command) {
    try {
      return text == null ? null : parse(text, ZonedDateTime.now()).toString();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(
          command.commandLine(), option + ": " + wrong.getMessage(), wrong);
    }
  }

  private static Instant at(String written, ZonedDateTime now) {
    String text = SlurmTimes.plain(written, now.toLocalDate().getYear());
    String lower = text.toLowerCase(java.util.Locale.ROOT);
    if (lower.equals("now")) {
      return now.toInstant();
    } else if (lower.startsWith("now+")) {
      return now.toInstant().plus(fromNow(lower.substring("now+".length())));
    } else if (lower.startsWith("today") || lower.startsWith("tomorrow")) {
      int word = lower.startsWith("today") ? "today".length() : "tomorrow".length();
      LocalDate day = now.toLocalDate().plusDays(lower.startsWith("today") ? 0 : 1);
      String rest = text.substring(word).strip();
      return local(day.atTime(rest.isEmpty() ? LocalTime.MIDNIGHT : time(rest)), now);
    } else if (text.matches("\\d{1,2}:\\d{2}(:\\d{2})?")) {
      Instant today = local(now.toLocalDate().atTime(time(text)), now);
      return today.isAfter(now.toInstant())
          ? today
          : local(now.toLocalDate().plusDays(1).atTime(time(text)), now);
    } else if (text.matches("\\d{4}-\\d{2}-\\d{2}")) {
      return local(LocalDate.parse(text).atStartOfDay(), now);
    } else if (text.matches(".*[T ].*(Z|z|[+-]\\d{2}:?\\d{2})")) {
      return OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
    }
    return local(LocalDateTime.parse(text.replace(' ', 'T')), now);
  }

  /** Returns a duration as Slurm writes it after {@code now+}, or as it is written here. */
  private static Duration fromNow(String text) {
    Matcher parts = SLURM.matcher(text);
    if (!parts.matches()) {
      return SizeAndTimeParser.time(text);
    }
    long count = Long.parseLong(parts.group(1));
    return switch (parts.group(2).replaceFirst("s$", "")) {
      case "minute" -> Duration.ofMinutes(count);
      case "hour" -> Duration.ofHours(count);
      case "day" -> Duration.ofDays(count);
      case "week" -> Duration.ofDays(DAYS_OF_A_WEEK * count);
      default -> Duration.ofSeconds(count);
    };
  }

  private static LocalTime time(String text) {
    return LocalTime.parse(text.indexOf(':') == 1 ? "0" + text : text);
  }

  private static Instant local(LocalDateTime time, ZonedDateTime now) {
    return time.atZone(now.getZone()).toInstant();
  }
}
