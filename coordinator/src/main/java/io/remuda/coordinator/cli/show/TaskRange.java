package io.remuda.coordinator.cli.show;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * A range of tasks by index.
 *
 * @param end index behind the last, 0 for all
 */
public record TaskRange(int first, int end) {

  static final TaskRange ALL = new TaskRange(0, 0);

  private static final Pattern RANGE = Pattern.compile("(\\d{1,7})(?:-(\\d{1,7}))?");

  /** Reads {@code 5}, {@code 3-7} or {@code all}. */
  public static final class Converter implements ITypeConverter<TaskRange> {
    @Override
    public TaskRange convert(String text) {
      return of(text);
    }
  }

  /**
   * Reads {@code 5}, {@code 3-7} or {@code all}.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  static TaskRange of(String text) {
    Matcher range = RANGE.matcher(text);
    if (text.equals("all")) {
      return ALL;
    } else if (range.matches()) {
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (first <= last) {
        return new TaskRange(first, last + 1);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a range of tasks: write 5, 3-7 or all");
  }

  /** Returns it as parts of a query. */
  String query() {
    return "&first=" + first + (end == 0 ? "" : "&end=" + end);
  }
}
