package io.remuda.coordinator.schedule.model;

import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.Objects;

/**
 * Waiting tasks that are alike: where one of them does not fit, none does.
 *
 * @param key what the tasks have in common
 * @param tasks in the order of submission, not empty; not copied, so it must not change while a
 *     plan is made
 * @param charge what each task adds to its user's use
 * @param overtaking whether its first task may still be overtaken
 * @param urgency of each of its jobs: how many of them end in a second of a GPU, expected; 0 if the
 *     order policy has no opinion. One class of tasks may be given in several parts that differ in
 *     it.
 */
public record TaskClass(
    SchedulingKey key, TaskSet tasks, double charge, Overtaking overtaking, double urgency) {

  /** Whether a task may still be overtaken by tasks behind it. */
  public enum Overtaking {
    /** Others may take the capacity that it waits for. */
    ALLOWED,
    /** Capacity is reserved for it if it is the first that fits nowhere. */
    REFUSED
  }

  /**
   * The properties that the tasks of a class have in common.
   *
   * @param priority rank among all jobs, as {@link io.remuda.worker.job.JobTerms#rank}
   * @param timeLimitMillis of each task, 0 for none
   * @param gang the gang if all its tasks start together, or null
   * @param type the type that sizes their part of a device, or null if they state the size
   * @param again whether they have run out of memory and go before others of their priority
   * @param group the tasks of their job of which only some run at once, or null
   * @param first among the tasks of their user and priority, those with a higher number precede
   */
  public record SchedulingKey(
      int priority,
      String user,
      ResourceRequest needs,
      PlacementPolicy policy,
      long timeLimitMillis,
      Gang gang,
      JobType type,
      boolean again,
      ThrottledTaskGroup group,
      long first) {

    /** Creates the key of tasks in the order of submission. */
    public SchedulingKey(
        int priority,
        String user,
        ResourceRequest needs,
        PlacementPolicy policy,
        long timeLimitMillis,
        Gang gang,
        JobType type,
        boolean again,
        ThrottledTaskGroup group) {
      this(priority, user, needs, policy, timeLimitMillis, gang, type, again, group, 0);
    }

    /** Creates the key of tasks that state what they need and have not run out of memory. */
    public SchedulingKey(
        int priority,
        String user,
        ResourceRequest needs,
        PlacementPolicy policy,
        long timeLimitMillis,
        Gang gang) {
      this(priority, user, needs, policy, timeLimitMillis, gang, null, false, null);
    }

    /** Returns a code of what most keys differ in; keys are looked up at each end of a task. */
    @Override
    public int hashCode() {
      int hash = 31 * priority + Objects.hashCode(user);
      hash = 31 * hash + Double.hashCode(needs.cpus());
      hash = 31 * hash + needs.gpus();
      hash = 31 * hash + Long.hashCode(needs.memory());
      hash = 31 * hash + Long.hashCode(needs.gpuMemory());
      hash = 31 * hash + Long.hashCode(timeLimitMillis);
      return 31 * hash + Long.hashCode(first);
    }

    /** Returns whether tasks of both count for one limit, of a group or else of their class. */
    public boolean isLimitedWith(SchedulingKey other) {
      return group == null ? equals(other) : group.equals(other.group);
    }

    /** Returns whether they start only where nobody else wants the place. */
    public boolean fillsHoles() {
      return Qos.fillsHoles(priority);
    }

    /** Returns under which name they count for limits; null if they count for none. */
    public String account() {
      return Qos.account(priority, user);
    }

    /** Returns what one of them needs. */
    public ResourceRequest needs(TaskId task) {
      return gang == null ? needs : gang.needs(task, needs);
    }

    /** Returns the GPUs of a task, or of all tasks of its gang; at least 1. */
    public int gpusOf(JobSpec job) {
      int gpus = needs.gpus();
      if (gang != null) {
        gpus = 0;
        for (int index = 0; index < job.tasks().size(); index++) {
          gpus += needs(new TaskId(job.id(), index)).gpus();
        }
      }
      return Math.max(1, gpus);
    }

    /** Returns whether the first of them is measured while the others wait. */
    public boolean isMeasured() {
      return needs.gpuShare().isMeasured();
    }
  }

  /** Creates a class without an opinion of how urgent it is. */
  public TaskClass(SchedulingKey key, TaskSet tasks, double charge, Overtaking overtaking) {
    this(key, tasks, charge, overtaking, 0);
  }

  public TaskClass {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(overtaking, "overtaking");
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("tasks must not be empty");
    }
  }

  /**
   * Returns the first waiting tasks of a class as a class of their own, without charge; of a gang
   * all.
   *
   * @param count number of tasks; all if there are fewer
   */
  public static TaskClass first(SchedulingKey key, TaskSet waiting, int count) {
    int most = key.gang() == null ? Math.min(count, waiting.size()) : waiting.size();
    TaskSet first = new TaskSet();
    TaskId next = waiting.first();
    for (int taken = 0; taken < most; taken++) {
      first.add(next);
      next = waiting.higher(next);
    }
    return new TaskClass(key, first, 0, Overtaking.ALLOWED);
  }

  /** Returns the waiting tasks of a class behind the first; of a gang none. */
  public static TaskSet rest(SchedulingKey key, TaskSet waiting, int count) {
    TaskSet rest = new TaskSet();
    if (key.gang() != null || count >= waiting.size()) {
      return rest;
    }
    TaskId next = waiting.first();
    for (int skipped = 0; skipped < count; skipped++) {
      next = waiting.higher(next);
    }
    for (; next != null; next = waiting.higher(next)) {
      rest.add(next);
    }
    return rest;
  }

  TaskId head() {
    return tasks.first();
  }
}
