package io.remuda.coordinator.cli.script;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and sizes as Slurm writes them, turned into Remuda's. */
final class SlurmQuantities {

  private static final Pattern TIME =
      Pattern.compile("(?:(\\d{1,6})-)?(\\d{1,9})(?::(\\d{1,9}))?(?::(\\d{1,9}))?");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMGTkmgt]?)[Bb]?");
  private static final int MINUTE = 60;
  private static final int HOUR = 3600;
  private static final int DAY = 86_400;
  private static final int KIBI = 1024;

  private SlurmQuantities() {}

  /**
   * Returns the time as {@code Ns}; empty if it is unlimited. {@code M}, {@code M:S}, {@code
   * H:M:S}, {@code D-H}, {@code D-H:M} and {@code D-H:M:S}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static Optional<String> time(String text) {
    if (text.matches("(?i)unlimited|infinite|-1|0")) {
      return Optional.empty();
    }
    Matcher parts = TIME.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a time as Slurm writes it: write 90, 90:00, 1:30:00 or 1-12:00:00");
    }
    long first = number(parts.group(2));
    long second = number(parts.group(3));
    long third = number(parts.group(4));
    long seconds;
    if (parts.group(1) != null) {
      seconds = number(parts.group(1)) * DAY + first * HOUR + second * MINUTE + third;
    } else if (parts.group(4) != null) {
      seconds = first * HOUR + second * MINUTE + third;
    } else {
      seconds = first * MINUTE + second;
    }
    return seconds == 0 ? Optional.empty() : Optional.of(seconds + "s");
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /**
   * Returns a size in MiB, rounded up; a bare number is in MiB.
   *
   * @throws IllegalArgumentException if it is none
   */
  static long mebibytes(String text) {
    Matcher parts = SIZE.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size as Slurm writes it: write 4000 or 4G");
    }
    long number = Long.parseLong(parts.group(1));
    return switch (parts.group(2).toUpperCase(java.util.Locale.ROOT)) {
      case "K" -> (number + KIBI - 1) / KIBI;
      case "G" -> number * KIBI;
      case "T" -> number * KIBI * KIBI;
      default -> number;
    };
  }
}
