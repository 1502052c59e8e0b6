package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;

/**
 * An attempt to run a task, written {@code JOB.INDEX.ATTEMPT} or {@code JOB.INDEX.ATTEMPT-TAG}.
 * Every order and every report carries it, so that late reports of an earlier attempt are
 * recognised and dropped.
 *
 * @param tag distinguishes it from an attempt with equal numbers that was assigned from another
 *     state file: the {@linkplain #birth(long) birth} of the state file in which it was placed,
 *     then the beginning of its job's UUID, 8 hexadecimal digits each. Empty without a state file,
 *     as in an ensemble run, and for attempts placed by builds without tags
 */
public record AttemptId(TaskId task, int attempt, String tag) implements Comparable<AttemptId> {

  private static final int DIGITS = 8;

  public AttemptId {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(tag, "tag");
    if (attempt < 1) {
      throw new IllegalArgumentException("attempt counts from 1, got " + attempt);
    }
    if (!tag.isEmpty() && !isTag(tag)) {
      throw new IllegalArgumentException(
          "the tag of an attempt is 16 hexadecimal digits, got '" + tag + "'");
    }
  }

  /** Checks by hand, since each message names many attempts. */
  private static boolean isTag(String text) {
    if (text.length() != 2 * DIGITS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** Creates an attempt id without a tag. */
  public AttemptId(TaskId task, int attempt) {
    this(task, attempt, "");
  }

  /**
   * Returns the birth of a state file as tags start with it; empty for 0, which means no state
   * file.
   */
  public static String birth(long birth) {
    return birth == 0 ? "" : HexFormat.of().toHexDigits((int) birth);
  }

  /**
   * Returns the tag of a job's attempts.
   *
   * @param birth birth of the state file in which they are placed, or 0 for none
   */
  public static String tag(long birth, UUID job) {
    return birth == 0 ? "" : birth(birth) + job.toString().substring(0, DIGITS);
  }

  /** Returns the tag that attempts of this job have in another state file. */
  public String tagIn(String birth) {
    return birth.isEmpty() || tag.isEmpty() ? "" : birth + tag.substring(DIGITS);
  }

  /** Returns a copy with another tag. */
  public AttemptId tagged(String other) {
    return new AttemptId(task, attempt, other);
  }

  /** Parses {@code JOB.INDEX.ATTEMPT} or {@code JOB.INDEX.ATTEMPT-TAG}. */
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
        TaskId.parse(text, dot),
        Integer.parseInt(text, dot + 1, end, 10),
        dash < 0 ? "" : text.substring(dash + 1));
  }

  @Override
  public int compareTo(AttemptId other) {
    int byTask = task.compareTo(other.task);
    int byNumber = byTask != 0 ? byTask : Integer.compare(attempt, other.attempt);
    return byNumber != 0 ? byNumber : tag.compareTo(other.tag);
  }

  /**
   * Compares like the generated method, but faster with the C1 compiler only; ids are keys of most
   * maps.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof AttemptId same
        && attempt == same.attempt
        && task.equals(same.task)
        && tag.equals(same.tag);
  }

  /** Ignores the tag, because ids in one map rarely differ only in it. */
  @Override
  public int hashCode() {
    return 31 * task.hashCode() + attempt;
  }

  /** Returns {@code JOB.INDEX.ATTEMPT}, the form shown to users. */
  public String numbers() {
    return write(new StringBuilder()).toString();
  }

  @JsonValue
  @Override
  public String toString() {
    StringBuilder text = write(new StringBuilder(32 + tag.length()));
    return tag.isEmpty() ? text.toString() : text.append('-').append(tag).toString();
  }

  private StringBuilder write(StringBuilder text) {
    return text.append(task.job().value())
        .append('.')
        .append(task.index())
        .append('.')
        .append(attempt);
  }
}
