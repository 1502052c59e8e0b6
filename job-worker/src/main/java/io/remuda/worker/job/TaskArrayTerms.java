package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.sweep.Sweep;
import io.remuda.worker.job.sweep.SweepAxis;

/**
 * What distinguishes the tasks of a job, when it gives up, and its place among its user's jobs.
 *
 * @param sweep what each task has for itself; null if all are alike
 * @param maxFails after so many failed tasks the others are cancelled; 0 for never
 * @param again number of the job that it repeats; 0 for none
 * @param first of its user's waiting jobs of equal priority, those with a higher number start
 *     before the others; 0 for a job in the order of submission
 * @param numbered whether each task has a number of its own among those of jobs: those that follow
 *     the job's own, in the order of the tasks
 * @param firstUntilMillis until when it is first, in milliseconds since 1970; 0 for good
 */
public record TaskArrayTerms(
    @JsonInclude(JsonInclude.Include.NON_NULL) Sweep sweep,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int maxFails,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long again,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long first,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean numbered,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long firstUntilMillis) {

  /** Of a job with alike tasks. */
  public static final TaskArrayTerms NONE = new TaskArrayTerms(null, 0, 0, 0);

  /** Leaves {@link #NONE} out of JSON, which most jobs have. */
  static final class LeftOut {
    @Override
    public boolean equals(Object terms) {
      return terms == null || NONE.equals(terms);
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  public TaskArrayTerms {
    RecordChecks.atLeast("maxFails", 0, maxFails);
    RecordChecks.notNegative("again", again);
    RecordChecks.notNegative("first", first);
    RecordChecks.notNegative("firstUntilMillis", firstUntilMillis);
    if (firstUntilMillis > 0 && first == 0) {
      throw new IllegalArgumentException("firstUntil requires that the job is put first");
    }
  }

  /** Terms of a job whose tasks have no numbers of their own. */
  public TaskArrayTerms(Sweep sweep, int maxFails, long again, long first) {
    this(sweep, maxFails, again, first, false);
  }

  /** Terms of a job that is first for good, if it is. */
  public TaskArrayTerms(Sweep sweep, int maxFails, long again, long first, boolean numbered) {
    this(sweep, maxFails, again, first, numbered, 0);
  }

  /** Returns how many numbers of jobs a job of so many tasks takes, with its own. */
  public int numbers(int tasks) {
    return numbered ? tasks + 1 : 1;
  }

  /** Returns the array index of a task; null if the indices of its job are the tasks' numbers. */
  public Integer indexOf(int task) {
    return sweep == null || !sweep.renumbers() ? null : Integer.valueOf(sweep.arrayIndex(task));
  }

  /** Returns the array index that a user has given a task; null if its job has no array. */
  public Integer givenIndex(int task) {
    boolean isArray =
        sweep != null && sweep.axes().stream().anyMatch(SweepAxis.Indices.class::isInstance);
    return isArray ? Integer.valueOf(sweep.arrayIndex(task)) : indexOf(task);
  }

  /** Returns a task for people: {@code 5.2}, or {@code 5.2 (index 3)} if that is another number. */
  public String words(TaskId task) {
    Integer index = indexOf(task.index());
    return task + (index == null ? "" : " (index " + index + ")");
  }

  /** Returns the terms with another number of failed tasks after which it gives up. */
  public TaskArrayTerms withMaxFails(int most) {
    return new TaskArrayTerms(sweep, most, again, first, numbered, firstUntilMillis);
  }

  /** Returns the terms with another place among the user's jobs, for good. */
  public TaskArrayTerms withFirst(long place) {
    return withFirst(place, 0);
  }

  /**
   * Returns the terms with another place among the user's jobs.
   *
   * @param untilMillis until when, in milliseconds since 1970; 0 for good
   */
  public TaskArrayTerms withFirst(long place, long untilMillis) {
    return new TaskArrayTerms(sweep, maxFails, again, place, numbered, untilMillis);
  }

  /** Returns the terms of a job that repeats another one, with these tasks. */
  public TaskArrayTerms again(JobId job, Sweep tasks) {
    return new TaskArrayTerms(tasks, maxFails, job.value(), 0, numbered);
  }
}
