package io.remuda.coordinator.rest.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One way to name jobs. */
sealed interface JobSelectionExpression {

  /** A number, with tasks or not. */
  record OfNumber(long job, TaskSelector tasks) implements JobSelectionExpression {}

  /** All jobs with a number from the first to the last. */
  record OfRange(long first, long last) implements JobSelectionExpression {}

  /** The user's newest job, or tasks of it. */
  record Last(TaskSelector tasks) implements JobSelectionExpression {}

  /** All jobs of the user that have not ended. */
  record All() implements JobSelectionExpression {}

  /** A job of the user by its name, tasks of it, or a list of such words. */
  record Named(String text) implements JobSelectionExpression {}

  /** One or several jobs by number. */
  Pattern NUMBER = Pattern.compile("([1-9]\\d{0,17})(?:-([1-9]\\d{0,17}))?");

  /** Commas between selectors; those within brackets are between indices. */
  Pattern BETWEEN = Pattern.compile(",(?![^\\[]*])");

  /**
   * Reads a selector; whatever has a part that is neither a number nor a word of its own is a name.
   *
   * @throws IllegalArgumentException if it is empty, or a range from a higher to a lower number
   */
  static List<JobSelectionExpression> read(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a selector of jobs is empty: give a number or a name");
    }
    List<JobSelectionExpression> all = new ArrayList<>();
    for (String part : parts(text)) {
      JobSelectionExpression selector = one(part);
      if (selector instanceof Named) {
        return List.of(new Named(text));
      }
      all.add(selector);
    }
    return all;
  }

  /** Returns the parts of a list. */
  static List<String> parts(String text) {
    return List.of(BETWEEN.split(text, -1));
  }

  /** Reads a selector that is no list. */
  static JobSelectionExpression one(String text) {
    Matcher number = NUMBER.matcher(text);
    if (text.equals("all")) {
      return new All();
    } else if (number.matches()) {
      return ofNumbers(number);
    }
    Optional<JobSelectionExpression> whole = last(text, TaskSelector.ALL);
    return whole
        .or(() -> TaskSelector.split(text).flatMap(JobSelectionExpression::ofPart))
        .orElse(new Named(text));
  }

  private static Optional<JobSelectionExpression> ofPart(TaskSelector.OfJob part) {
    Matcher number = NUMBER.matcher(part.job());
    boolean one = number.matches() && number.group(2) == null;
    Optional<String> fault = part.tasks().fault();
    if (fault.isPresent() && (one || part.job().equals("last"))) {
      throw new IllegalArgumentException(fault.get());
    }
    return one
        ? Optional.of(new OfNumber(Long.parseLong(number.group(1)), part.tasks()))
        : last(part.job(), part.tasks());
  }

  private static Optional<JobSelectionExpression> last(String text, TaskSelector tasks) {
    return text.equals("last") ? Optional.of(new Last(tasks)) : Optional.empty();
  }

  private static JobSelectionExpression ofNumbers(Matcher number) {
    long first = Long.parseLong(number.group(1));
    if (number.group(2) == null) {
      return new OfNumber(first, TaskSelector.ALL);
    }
    long last = Long.parseLong(number.group(2));
    if (last < first) {
      throw new IllegalArgumentException(
          "'" + number.group() + "' is not a range of jobs: write " + last + "-" + first);
    }
    return new OfRange(first, last);
  }
}
