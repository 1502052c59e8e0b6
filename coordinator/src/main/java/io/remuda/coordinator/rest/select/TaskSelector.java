package io.remuda.coordinator.rest.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tasks of a job that are meant: all, some by their numbers from 0, or some by the array
 * indices that the user gave them.
 *
 * @param ranges none for all
 */
record TaskSelector(Kind kind, List<Range> ranges) {

  /** How tasks are named. */
  enum Kind {
    ALL,
    NUMBERS,
    INDICES
  }

  /** From the first to the last. */
  record Range(int first, int last) {

    private static Range of(String text) {
      String[] ends = text.split("-", -1);
      return new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
    }

    @Override
    public String toString() {
      return first == last ? "" + first : first + "-" + last;
    }
  }

  /** The whole job. */
  static final TaskSelector ALL = new TaskSelector(Kind.ALL, List.of());

  /** Maximum number of tasks in one range. */
  static final int MOST_TASKS = 10_000;

  private static final String RANGE = "\\d{1,9}(?:-\\d{1,9})?";

  private static final Pattern AFTER_JOB =
      Pattern.compile(
          "(.+?)(?:\\.(" + RANGE + ")|_(" + RANGE + ")|_\\[(" + RANGE + "(?:," + RANGE + ")*)])");

  TaskSelector {
    ranges = List.copyOf(ranges);
  }

  /** Returns what is wrong with its ranges. */
  Optional<String> fault() {
    for (Range range : ranges) {
      if (range.last() < range.first()) {
        return Optional.of(
            "'" + range + "' is not a range of tasks: write " + range.last() + "-" + range.first());
      } else if (kind == Kind.NUMBERS && range.last() - range.first() >= MOST_TASKS) {
        return Optional.of("'" + range + "' is more than " + MOST_TASKS + " tasks");
      }
    }
    return Optional.empty();
  }

  /** A job and some of its tasks, as written. */
  record OfJob(String job, TaskSelector tasks) {}

  /**
   * Splits {@code JOB.3}, {@code JOB.3-7}, {@code JOB_3}, {@code JOB_3-7} and {@code JOB_[3,5-7]};
   * empty if the text is none of these.
   */
  static Optional<OfJob> split(String text) {
    Matcher match = AFTER_JOB.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    if (match.group(2) != null) {
      return Optional.of(
          new OfJob(
              match.group(1), new TaskSelector(Kind.NUMBERS, List.of(Range.of(match.group(2))))));
    }
    List<Range> indices = new ArrayList<>();
    String list = match.group(3) == null ? match.group(4) : match.group(3);
    for (String range : list.split(",")) {
      indices.add(Range.of(range));
    }
    return Optional.of(new OfJob(match.group(1), new TaskSelector(Kind.INDICES, indices)));
  }
}
