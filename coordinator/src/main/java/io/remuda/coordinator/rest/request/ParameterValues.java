package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.worker.job.sweep.CompactTextList;
import io.remuda.worker.job.sweep.Sweep;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of a parameter as users write them: {@code 0.1,0.2}, {@code 1..5} or both. */
final class ParameterValues {

  private static final Pattern RANGE =
      Pattern.compile("(-?\\d{1,9})\\.\\.(-?\\d{1,9})(?::(\\d{1,9}))?");

  private ParameterValues() {}

  /**
   * Reads values.
   *
   * @throws IllegalArgumentException if one is empty, or there are too many
   */
  static CompactTextList parse(String text) {
    List<String> values = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (range.matches()) {
        add(range, values);
      } else if (part.isEmpty()) {
        throw new IllegalArgumentException(
            "a value is empty in " + ShortenedValues.quoted(text) + ": write them as 0.1,0.2");
      } else {
        values.add(part);
      }
      if (values.size() > Sweep.MOST) {
        throw new IllegalArgumentException("at most " + Sweep.MOST + " values, got more");
      }
    }
    return CompactTextList.of(values);
  }

  /** Adds the numbers of a range, with zeros in front if it is written with them, as 01..10. */
  private static void add(Matcher range, List<String> values) {
    int from = Integer.parseInt(range.group(1));
    int to = Integer.parseInt(range.group(2));
    int step = range.group(3) == null ? 1 : Integer.parseInt(range.group(3));
    if (step < 1 || to < from) {
      throw new IllegalArgumentException(
          "'" + range.group() + "' has no number: write FROM..TO or FROM..TO:STEP");
    }
    if (((long) to - from) / step >= Sweep.MOST) {
      throw new IllegalArgumentException("at most " + Sweep.MOST + " values, got " + range.group());
    }
    boolean zeros = range.group(1).matches("0\\d+");
    String form = zeros ? "%0" + range.group(1).length() + "d" : "%d";
    for (long number = from; number <= to; number += step) {
      values.add(form.formatted(number));
    }
  }
}
