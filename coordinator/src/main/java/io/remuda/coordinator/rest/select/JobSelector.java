package io.remuda.coordinator.rest.select;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** One way to name jobs. */
sealed interface JobSelector {

  /** What a user can write, for messages. */
  String WAYS =
      "a job is its number, several are 1,3,5-8, the newest of yours is last, all of yours that have"
          + " not ended are all, and a name stands for the newest of yours with it; a task is"
          + " JOB.TASK, several are JOB.3-7";

  /** A number, with a task or not. */
  record OfNumber(long job, Integer task) implements JobSelector {}

  /** All jobs with a number from the first to the last. */
  record OfRange(long first, long last) implements JobSelector {}

  /** The user's newest job, or a task of it. */
  record Last(Integer task) implements JobSelector {}

  /** All jobs of the user that have not ended. */
  record All() implements JobSelector {}

  /** A job of the user, by its name. */
  record Named(String name) implements JobSelector {}

  /** A part of a list of numbers. */
  Pattern NUMBER =
      Pattern.compile("([1-9]\\d{0,17})(?:-([1-9]\\d{0,17})|\\.(\\d{1,7})(?:-(\\d{1,7}))?)?");

  /** Maximum number of tasks in one range. */
  int MOST_TASKS = 10_000;

  Pattern LAST = Pattern.compile("last(?:\\.(\\d{1,7}))?");

  /**
   * Reads a selector; whatever is neither a list of numbers nor a word of its own is a name.
   *
   * @throws IllegalArgumentException if it is empty, or a range from a higher to a lower number
   */
  static List<JobSelector> read(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a selector of jobs is empty: " + WAYS);
    }
    Matcher last = LAST.matcher(text);
    if (last.matches()) {
      return List.of(new Last(task(last.group(1))));
    }
    if (text.equals("all")) {
      return List.of(new All());
    }
    List<JobSelector> numbers = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher number = NUMBER.matcher(part);
      if (!number.matches()) {
        return List.of(new Named(text));
      }
      numbers.addAll(ofNumbers(number));
    }
    return numbers;
  }

  private static List<JobSelector> ofNumbers(Matcher number) {
    long first = Long.parseLong(number.group(1));
    if (number.group(4) != null) {
      return tasks(first, Integer.parseInt(number.group(3)), Integer.parseInt(number.group(4)));
    }
    if (number.group(2) == null) {
      return List.of(new OfNumber(first, task(number.group(3))));
    }
    long last = Long.parseLong(number.group(2));
    if (last < first) {
      throw new IllegalArgumentException(
          "'" + number.group() + "' is no range of jobs: write " + last + "-" + first);
    }
    return List.of(new OfRange(first, last));
  }

  private static List<JobSelector> tasks(long job, int first, int last) {
    if (last < first || last - first >= MOST_TASKS) {
      throw new IllegalArgumentException(
          "'" + job + "." + first + "-" + last + "' is no range of 1 to " + MOST_TASKS + " tasks");
    }
    return IntStream.rangeClosed(first, last)
        .<JobSelector>mapToObj(index -> new OfNumber(job, index))
        .toList();
  }

  private static Integer task(String index) {
    return index == null ? null : Integer.valueOf(index);
  }
}
