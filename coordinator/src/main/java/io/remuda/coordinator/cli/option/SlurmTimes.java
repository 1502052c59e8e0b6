package io.remuda.coordinator.cli.option;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words and forms for times that sbatch knows besides ours. */
final class SlurmTimes {

  private static final Map<String, String> WORDS =
      Map.of(
          "midnight", "00:00",
          "elevenses", "11:00",
          "noon", "12:00",
          "fika", "15:00",
          "teatime", "16:00");

  private static final Pattern HALF_OF_DAY =
      Pattern.compile("(\\d{1,2}):(\\d{2})((?::\\d{2})?) ?([AaPp])[Mm]");

  private static final Pattern DATE =
      Pattern.compile("(\\d{1,2})[/.](\\d{1,2})(?:[/.](\\d{2}|\\d{4}))?(?:[-T](.+))?");

  private static final int CENTURY = 2000;
  private static final int NOON = 12;

  private SlurmTimes() {}

  /**
   * Returns a time of Slurm as it is written here; any other text as it is.
   *
   * @param year of dates without one
   */
  static String plain(String text, int year) {
    Matcher date = DATE.matcher(text);
    if (date.matches()) {
      int of = date.group(3) == null ? year : Integer.parseInt(date.group(3));
      String day =
          "%04d-%02d-%02d"
              .formatted(
                  of < CENTURY ? of + CENTURY : of,
                  Integer.parseInt(date.group(1)),
                  Integer.parseInt(date.group(2)));
      return date.group(4) == null ? day : day + "T" + time(date.group(4));
    }
    return time(text);
  }

  private static String time(String text) {
    String word = WORDS.get(text.toLowerCase(Locale.ROOT));
    Matcher half = HALF_OF_DAY.matcher(text);
    if (word != null) {
      return word;
    } else if (!half.matches() || Integer.parseInt(half.group(1)) > NOON) {
      return text;
    }
    int hour = Integer.parseInt(half.group(1)) % NOON;
    boolean afternoon = half.group(4).equalsIgnoreCase("p");
    return "%02d:%s%s".formatted(afternoon ? hour + NOON : hour, half.group(2), half.group(3));
  }
}
