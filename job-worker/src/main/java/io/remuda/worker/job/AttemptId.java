package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;

/**
 * One try at running a task, written {@code JOB.INDEX.ATTEMPT}. It travels with every order and
 * every report, so that a late answer of an earlier try is recognised and dropped.
 */
public record AttemptId(TaskId task, int attempt) implements Comparable<AttemptId> {

  public AttemptId {
    Objects.requireNonNull(task, "task");
    if (attempt < 1) {
      throw new IllegalArgumentException("attempt counts from 1, got " + attempt);
    }
  }

  /** Reads {@code JOB.INDEX.ATTEMPT}. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static AttemptId parse(String text) {
    int dot = text.lastIndexOf('.');
    if (dot < 1) {
      throw new IllegalArgumentException(
          "attempt id must be JOB.INDEX.ATTEMPT, got '" + text + "'");
    }
    return new AttemptId(
        TaskId.parse(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
  }

  @Override
  public int compareTo(AttemptId other) {
    int byTask = task.compareTo(other.task);
    return byTask != 0 ? byTask : Integer.compare(attempt, other.attempt);
  }

  /** As a record's own, and quicker where only the first compiler is used: a key of most maps. */
  @Override
  public boolean equals(Object other) {
    return other instanceof AttemptId same && attempt == same.attempt && task.equals(same.task);
  }

  @Override
  public int hashCode() {
    return 31 * task.hashCode() + attempt;
  }

  @JsonValue
  @Override
  public String toString() {
    return task + "." + attempt;
  }
}
