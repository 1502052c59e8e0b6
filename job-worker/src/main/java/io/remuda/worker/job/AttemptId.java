package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * One try at running a task, written {@code JOB.INDEX.ATTEMPT} or {@code JOB.INDEX.ATTEMPT-TAG}. It
 * travels with every order and every report, so that a late answer of an earlier try is recognised
 * and dropped.
 *
 * @param tag tells it apart from an attempt of the same numbers that another state file has given
 *     out: the {@linkplain #birth(long) birth} of the file in which it was placed, then the
 *     beginning of its job's UUID, 8 hexadecimal digits each. Empty where no file gives out
 *     numbers, as in a run, and for what builds placed that had no tags
 */
public record AttemptId(TaskId task, int attempt, String tag) implements Comparable<AttemptId> {

  private static final int DIGITS = 8;
  private static final Pattern TAG = Pattern.compile("[0-9a-f]{16}");

  public AttemptId {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(tag, "tag");
    if (attempt < 1) {
      throw new IllegalArgumentException("attempt counts from 1, got " + attempt);
    }
    if (!tag.isEmpty() && !TAG.matcher(tag).matches()) {
      throw new IllegalArgumentException(
          "the tag of an attempt is 16 hexadecimal digits, got '" + tag + "'");
    }
  }

  /** One without a tag. */
  public AttemptId(TaskId task, int attempt) {
    this(task, attempt, "");
  }

  /** The birth of a state file as tags begin with it; nothing for 0, which is none. */
  public static String birth(long birth) {
    return birth == 0 ? "" : HexFormat.of().toHexDigits((int) birth);
  }

  /**
   * The tag of attempts of a job.
   *
   * @param birth of the state file in which they are placed, or 0 for none
   */
  public static String tag(long birth, UUID job) {
    return birth == 0 ? "" : birth(birth) + job.toString().substring(0, DIGITS);
  }

  /** The tag that the same job has in another state file. */
  public String tagIn(String birth) {
    return birth.isEmpty() || tag.isEmpty() ? "" : birth + tag.substring(DIGITS);
  }

  /** The same numbers with another tag. */
  public AttemptId tagged(String other) {
    return new AttemptId(task, attempt, other);
  }

  /** Reads {@code JOB.INDEX.ATTEMPT} or {@code JOB.INDEX.ATTEMPT-TAG}. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static AttemptId parse(String text) {
    int dash = text.indexOf('-', 1);
    int end = dash < 0 ? text.length() : dash;
    int dot = text.lastIndexOf('.', end - 1);
    if (dot < 1) {
      throw new IllegalArgumentException(
          "attempt id must be JOB.INDEX.ATTEMPT, got '" + text + "'");
    }
    return new AttemptId(
        TaskId.parse(text.substring(0, dot)),
        Integer.parseInt(text.substring(dot + 1, end)),
        dash < 0 ? "" : text.substring(dash + 1));
  }

  @Override
  public int compareTo(AttemptId other) {
    int byTask = task.compareTo(other.task);
    int byNumber = byTask != 0 ? byTask : Integer.compare(attempt, other.attempt);
    return byNumber != 0 ? byNumber : tag.compareTo(other.tag);
  }

  /** As a record's own, and quicker where only the first compiler is used: a key of most maps. */
  @Override
  public boolean equals(Object other) {
    return other instanceof AttemptId same
        && attempt == same.attempt
        && task.equals(same.task)
        && tag.equals(same.tag);
  }

  /** Without the tag: hardly ever do two of one map differ in that alone. */
  @Override
  public int hashCode() {
    return 31 * task.hashCode() + attempt;
  }

  /** {@code JOB.INDEX.ATTEMPT}, for people. */
  public String numbers() {
    return task + "." + attempt;
  }

  @JsonValue
  @Override
  public String toString() {
    return tag.isEmpty() ? numbers() : numbers() + "-" + tag;
  }
}
