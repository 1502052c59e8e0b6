package io.remuda.coordinator.store.row;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TrainingProgress;
import java.util.List;
import java.util.UUID;

/**
 * The current state of a job, without its tasks. Times are milliseconds since 1970 by the
 * coordinator's clock, 0 for not yet.
 *
 * @param state state of the job as a whole
 * @param first state of its untouched tasks, those never placed; once it is {@code CANCELLED}, all
 *     others are to end, too
 * @param tasks number of its tasks
 * @param started when its first task was placed; 0 while its only task waits for another place. Of
 *     a job with a time limit of the whole, when its first task began to run, which does not change
 * @param reason why it ended or is being ended, or null
 * @param exitCode the first one other than 0 of its tasks; 0 only if it has succeeded or is of one
 *     task; else null
 * @param open jobs that have to end before it starts
 * @param clientKey the submitter's idempotency key, or null
 * @param epochs how far it is if it is a training, else null
 * @param gang newest start of its gang; {@link GangStart#NONE} before the first
 */
public record JobRow(
    JobId id,
    UUID uuid,
    String user,
    String name,
    TaskState state,
    TaskState first,
    int tasks,
    long submitted,
    long started,
    long ended,
    String reason,
    Integer exitCode,
    List<JobDependency> open,
    String clientKey,
    TrainingEpochProgress epochs,
    GangStart gang) {

  /** Maximum characters of an idempotency key; earlier builds accepted longer ones. */
  public static final int MOST_KEY = 200;

  public JobRow {
    open = List.copyOf(open);
  }

  /**
   * Returns the row without a key that is too long. Requests can no longer name such keys, and many
   * rows are held in memory.
   */
  public JobRow withoutLongKey() {
    return clientKey == null || clientKey.codePointCount(0, clientKey.length()) <= MOST_KEY
        ? this
        : new JobRow(
            id, uuid, user, name, state, first, tasks, submitted, started, ended, reason, exitCode,
            open, null, epochs, gang);
  }

  /** Returns the row of a job that has just been submitted. */
  public static JobRow submitted(
      JobSpec job, TaskState first, List<JobDependency> open, String clientKey, long at) {
    return new JobRow(
        job.id(),
        job.uuid(),
        job.user(),
        job.name(),
        first,
        first,
        job.tasks().size(),
        at,
        0,
        0,
        null,
        null,
        open,
        clientKey,
        job.terms().training() == null ? null : TrainingEpochProgress.of(job.terms().training()),
        GangStart.NONE);
  }

  /** Returns the job in another state, which it entered at a time. */
  public JobRow moved(TaskState to, TaskState newFirst, List<JobDependency> stillOpen, long at) {
    boolean starts = started == 0 && to.holdsPlace();
    boolean waitsAgain = tasks == 1 && !to.holdsPlace() && !to.isFinal();
    return new JobRow(
        id,
        uuid,
        user,
        name,
        to,
        newFirst,
        tasks,
        submitted,
        waitsAgain ? 0 : starts ? at : started,
        to.isFinal() ? at : 0,
        reason,
        exitCode,
        stillOpen,
        clientKey,
        epochs,
        gang);
  }

  /** Returns the training after its task has changed; {@code told} is null if it told nothing. */
  public JobRow trained(TrainingProgress told, long at) {
    return epochs == null
        ? this
        : with(epochs.after(told, state == TaskState.RUNNING || state == TaskState.STOPPING, at));
  }

  private JobRow with(TrainingEpochProgress count) {
    return new JobRow(
        id, uuid, user, name, state, first, tasks, submitted, started, ended, reason, exitCode,
        open, clientKey, count, gang);
  }

  /** Returns the job as one that began at a time, 0 for not yet, whatever its tasks do now. */
  public JobRow begun(long at) {
    return new JobRow(
        id, uuid, user, name, state, first, tasks, submitted, at, ended, reason, exitCode, open,
        clientKey, epochs, gang);
  }

  /** Returns the job with another name. */
  public JobRow named(String other) {
    return new JobRow(
        id, uuid, user, other, state, first, tasks, submitted, started, ended, reason, exitCode,
        open, clientKey, epochs, gang);
  }

  /** Returns the job with another start of its gang. */
  public JobRow started(GangStart start) {
    return new JobRow(
        id, uuid, user, name, state, first, tasks, submitted, started, ended, reason, exitCode,
        open, clientKey, epochs, start);
  }

  /**
   * Returns why its untouched tasks were cancelled, or just that they were if {@code reason} is
   * about another outcome.
   */
  String cancelled() {
    return state.isFinal() && state != TaskState.CANCELLED ? "cancelled" : reason;
  }

  /** Returns the job with a reason and an exit code. */
  public JobRow because(String why, Integer code) {
    return new JobRow(
        id, uuid, user, name, state, first, tasks, submitted, started, ended, why, code, open,
        clientKey, epochs, gang);
  }
}
