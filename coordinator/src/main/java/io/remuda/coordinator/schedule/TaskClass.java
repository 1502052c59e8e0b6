package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.Objects;

/**
 * Waiting tasks that are alike: where one of them does not fit, none does.
 *
 * @param kind what is alike
 * @param tasks in the order of submission, not empty; not copied, so it must not change while a
 *     plan is made
 * @param charge what starting one of them adds to its user's use
 * @param patience of its first task
 */
public record TaskClass(SchedulingKey key, TaskSet tasks, double charge, Overtaking overtaking) {

  /** Whether a task may still be overtaken by those behind it. */
  public enum Overtaking {
    /** Others may take what it is waiting for. */
    ALLOWED,
    /** Room is kept for it if it comes first. */
    REFUSED
  }

  /**
   * What the tasks of a line have in common.
   *
   * @param timeLimitMillis of each task, 0 for none
   * @param gang the job whose tasks all start together, or null
   * @param type that decides how much of a device they need, or null if they state it
   * @param again whether they have failed for want of memory and go before others of their priority
   */
  public record SchedulingKey(
      int priority,
      String user,
      ResourceRequest needs,
      PlacementPolicy policy,
      long timeLimitMillis,
      JobId gang,
      JobType type,
      boolean again) {

    /** Tasks that state what they need, for the first time. */
    public SchedulingKey(
        int priority,
        String user,
        ResourceRequest needs,
        PlacementPolicy policy,
        long timeLimitMillis,
        JobId gang) {
      this(priority, user, needs, policy, timeLimitMillis, gang, null, false);
    }

    /** Whether the first of them to run shows what the others need. */
    boolean isMeasured() {
      return needs.isAuto();
    }
  }

  public TaskClass {
    Objects.requireNonNull(key, "kind");
    Objects.requireNonNull(overtaking, "patience");
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("tasks must not be empty");
    }
  }

  TaskId head() {
    return tasks.first();
  }
}
