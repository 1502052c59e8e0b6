package io.remuda.coordinator.api;

import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of jobs and of tasks, as text: {@code 5,7-12,20.0-2999}. Immutable.
 *
 * @param ranges one or more, in the order of the text; they may overlap
 */
public record JobNumbers(List<Range> ranges) {

  /** Maximum of jobs and tasks that one text may name. */
  public static final int MOST = 10_000;

  /** Maximum length of a text in characters. */
  public static final int LONGEST = 200_000;

  private static final Pattern RANGE =
      Pattern.compile("([1-9]\\d{0,17})(?:\\.(\\d{1,7}))?(?:-(\\d{1,18}))?");

  public JobNumbers {
    ranges = List.copyOf(ranges);
  }

  /**
   * Some jobs, or some tasks of one job.
   *
   * @param job the first job, or the only one
   * @param tasks whether tasks are meant
   * @param first number of the first job or task
   * @param last number of the last one, at least {@code first}
   */
  public record Range(long job, boolean tasks, long first, long last) {

    /** Returns how many they are. */
    public long size() {
      return last - first + 1;
    }
  }

  /** A job, or a task of it. */
  public interface Visitor {

    /**
     * @param task number of the task, or null for the whole job
     */
    void visit(JobId job, Integer task);
  }

  /** Visits each of them, in order. */
  public void forEach(Visitor visitor) {
    for (Range range : ranges) {
      for (long number = range.first; number <= range.last; number++) {
        if (range.tasks) {
          visitor.visit(new JobId(range.job), (int) number);
        } else {
          visitor.visit(new JobId(number), null);
        }
      }
    }
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is none, or names more than {@link #MOST}; the message
   *     is for users
   */
  public static JobNumbers of(String text) {
    if (text == null || text.isBlank() || text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "jobs must be 1 to " + LONGEST + " characters, such as 5,7-12,20.0-2999");
    }
    List<Range> ranges = new ArrayList<>();
    long all = 0;
    for (String part : text.split(",", -1)) {
      Range range = range(part.strip());
      all += range.size();
      if (range.size() > MOST || all > MOST) {
        throw new IllegalArgumentException(
            "jobs names more than " + MOST + " jobs and tasks: ask in several requests");
      }
      ranges.add(range);
    }
    return new JobNumbers(ranges);
  }

  private static Range range(String part) {
    Matcher match = RANGE.matcher(part);
    if (!match.matches()) {
      throw wrong(part);
    }
    long job = Long.parseLong(match.group(1));
    boolean tasks = match.group(2) != null;
    long first = tasks ? Long.parseLong(match.group(2)) : job;
    long last = match.group(3) == null ? first : Long.parseLong(match.group(3));
    if (last < first || (tasks && last > 9_999_999)) {
      throw wrong(part);
    }
    return new Range(job, tasks, first, last);
  }

  private static IllegalArgumentException wrong(String part) {
    String shown = part.length() > 40 ? part.substring(0, 40) + "…" : part;
    return new IllegalArgumentException(
        "jobs: '"
            + shown
            + "' names no jobs: write numbers and ranges, such as 5,7-12 for jobs and 20.0-2999 for"
            + " tasks of job 20");
  }
}
