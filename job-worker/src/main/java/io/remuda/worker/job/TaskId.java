package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;

/** One task of a job, written {@code JOB.INDEX}; the index starts at 0. */
public record TaskId(JobId job, int index) implements Comparable<TaskId> {

  public TaskId {
    Objects.requireNonNull(job, "job");
    if (index < 0) {
      throw new IllegalArgumentException("task index must not be negative, got " + index);
    }
  }

  /** Parses {@code JOB.INDEX}. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static TaskId parse(String text) {
    return parse(text, text.length());
  }

  /** Parses {@code JOB.INDEX} at the beginning of a text, up to {@code end}. */
  static TaskId parse(String text, int end) {
    int dot = text.indexOf('.');
    if (dot < 1 || dot >= end) {
      throw new IllegalArgumentException(
          "task id must be JOB.INDEX, got '" + text.substring(0, end) + "'");
    }
    return new TaskId(
        new JobId(Long.parseLong(text, 0, dot, 10)), Integer.parseInt(text, dot + 1, end, 10));
  }

  @Override
  public int compareTo(TaskId other) {
    int byJob = job.compareTo(other.job);
    return byJob != 0 ? byJob : Integer.compare(index, other.index);
  }

  /**
   * Compares like the generated method, but faster with the C1 compiler only; ids are keys of most
   * maps.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof TaskId same && index == same.index && job.equals(same.job);
  }

  @Override
  public int hashCode() {
    return 31 * job.hashCode() + index;
  }

  @JsonValue
  @Override
  public String toString() {
    return job + "." + index;
  }
}
