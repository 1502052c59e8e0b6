package io.remuda.telemetry.render;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The capabilities of a terminal.
 *
 * @param unicode whether it shows block characters
 * @param colour whether bars are coloured
 */
public record BarStyle(boolean unicode, boolean colour) {

  /**
   * Derives the style from the locale's character set, in POSIX precedence of the variables, and
   * from {@code NO_COLOR} (see no-color.org: any non-empty value) and {@code TERM}.
   */
  public static BarStyle of(Map<String, String> environment) {
    String locale =
        Stream.of("LC_ALL", "LC_CTYPE", "LANG")
            .map(name -> environment.getOrDefault(name, ""))
            .filter(value -> !value.isEmpty())
            .findFirst()
            .orElse("");
    String charset = locale.toLowerCase(Locale.ROOT).replace("-", "");
    boolean colour =
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "").equals("dumb");
    return new BarStyle(charset.contains("utf8"), colour);
  }
}
