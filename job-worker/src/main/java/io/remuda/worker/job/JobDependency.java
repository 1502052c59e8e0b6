package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Objects;

/**
 * A job that must end first, written {@code JOB} or {@code JOB:ok|any|fail|each}.
 *
 * @param job the job to wait for
 * @param when the required outcome of that job
 */
public record JobDependency(JobId job, When when) {

  /** The required outcome. */
  public enum When {
    /** The job succeeded. */
    OK,
    /** The job ended with any outcome. */
    ANY,
    /** The job ended without success. */
    FAIL,
    /** Task by task: the task of the same index succeeded, whatever became of the others. */
    EACH
  }

  public JobDependency {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(when, "when");
  }

  /** The words for the required outcome. */
  public static final String OUTCOMES = "ok|any|fail|each";

  /** Returns whether each task depends on the one of the same index. */
  @JsonIgnore
  public boolean isTaskByTask() {
    return when == When.EACH;
  }

  /** Parses {@code JOB} or {@code JOB:ok|any|fail|each}. */
  @JsonCreator
  public static JobDependency parse(String text) {
    int colon = text.indexOf(':');
    String number = colon < 0 ? text : text.substring(0, colon);
    String when = colon < 0 ? "ok" : text.substring(colon + 1);
    if (!number.matches("[1-9]\\d{0,17}") || !when.matches(OUTCOMES)) {
      throw new IllegalArgumentException(
          "a dependency is JOB or JOB:" + OUTCOMES + ", got '" + text + "'");
    }
    return new JobDependency(
        new JobId(Long.parseLong(number)), When.valueOf(when.toUpperCase(Locale.ROOT)));
  }

  @JsonValue
  @Override
  public String toString() {
    return job + ":" + when.name().toLowerCase(Locale.ROOT);
  }
}
