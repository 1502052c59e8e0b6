package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.List;
import java.util.UUID;

/**
 * A job as it stands, without its tasks. Times are milliseconds since 1970 by the coordinator's
 * clock, 0 for not yet.
 *
 * @param state of the whole
 * @param first state of its tasks that were never placed; once it is {@code CANCELLED} all others
 *     are to end, too
 * @param tasks how many it has
 * @param started when its first task was placed
 * @param reason why it ended, or is being ended, as it did; or null
 * @param exitCode of the first task that did not end well, 0 if all did, or null
 * @param open jobs that have to end before it starts
 * @param clientKey by which the submitter knows it, or null
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
    String clientKey) {

  /** The most characters of a key; builds before this one took any number of them. */
  public static final int MOST_KEY = 200;

  public JobRow {
    open = List.copyOf(open);
  }

  /**
   * The same without a key that is longer than is taken, for rows of which many are held: nobody
   * can ask for it any more.
   */
  JobRow withoutLongKey() {
    return clientKey == null || clientKey.codePointCount(0, clientKey.length()) <= MOST_KEY
        ? this
        : new JobRow(
            id, uuid, user, name, state, first, tasks, submitted, started, ended, reason, exitCode,
            open, null);
  }

  /** A job that has just been submitted. */
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
        clientKey);
  }

  /** The same job in another state, at this time. */
  public JobRow moved(TaskState to, TaskState newFirst, List<JobDependency> stillOpen, long at) {
    boolean starts = started == 0 && to.holdsPlace();
    return new JobRow(
        id,
        uuid,
        user,
        name,
        to,
        newFirst,
        tasks,
        submitted,
        starts ? at : started,
        to.isFinal() ? at : 0,
        reason,
        exitCode,
        stillOpen,
        clientKey);
  }

  /** Why its tasks were cancelled that were never placed, as far as that is still known. */
  String cancelled() {
    return state.isFinal() && state != TaskState.CANCELLED ? "cancelled" : reason;
  }

  /** The same job with what its end was. */
  public JobRow because(String why, Integer code) {
    return new JobRow(
        id, uuid, user, name, state, first, tasks, submitted, started, ended, why, code, open,
        clientKey);
  }
}
