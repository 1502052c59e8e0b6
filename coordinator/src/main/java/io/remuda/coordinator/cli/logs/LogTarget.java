package io.remuda.coordinator.cli.logs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whose output is printed.
 *
 * @param task index of the task; null for all tasks of the job
 * @param attempt number of the attempt; 0 for the newest
 */
record LogTarget(String job, Integer task, int attempt) {

  private static final Pattern FORM =
      Pattern.compile("([1-9]\\d{0,17})(?:\\.(\\d{1,7})(?:\\.(\\d{1,7}))?)?");

  /** Returns whether a text is {@code JOB[.TASK[.ATTEMPT]]}, with numbers only. */
  static boolean isNumbers(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Reads {@code JOB[.TASK[.ATTEMPT]]}.
   *
   * @param task index of the task if it is given by itself, or null
   * @throws IllegalArgumentException if the text has another form, or both name a task
   */
  static LogTarget parse(String text, Integer task) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "give JOB, JOB.TASK or JOB.TASK.ATTEMPT, got '" + text + "'");
    }
    if (task != null && parts.group(2) != null) {
      throw new IllegalArgumentException(
          "give the task as '" + text + "' or as --task " + task + ", not both");
    }
    if (task != null && task < 0) {
      throw new IllegalArgumentException("--task must be 0 or more, got " + task);
    }
    Integer index = parts.group(2) == null ? task : Integer.valueOf(parts.group(2));
    int attempt = parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3));
    return new LogTarget(parts.group(1), index, attempt);
  }

  /** Returns why a job with so many tasks has no such task; null if it has it. */
  String missingIn(int tasks) {
    if (task == null || task < tasks) {
      return null;
    }
    return tasks == 1
        ? "job " + job + " has one task, " + job + ".0"
        : "job " + job + " has " + tasks + " tasks, " + job + ".0 to " + job + "." + (tasks - 1);
  }
}
