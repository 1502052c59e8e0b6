package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobSpec;
import java.util.List;
import java.util.Set;

/** What can be read of a job that is in the registry; it changes with the registry. */
public sealed interface LiveJob permits JobEntry {

  JobSpec spec();

  /** Returns the state of the job as a whole: that of the task with the most to come. */
  TaskState state();

  /** Returns the state of the untouched tasks, which other tasks without a place are to follow. */
  TaskState base();

  /** Returns why the untouched tasks are in that state, or null. */
  String why();

  /** Returns the number of tasks in a state. */
  int count(TaskState state);

  /** Returns a view of all tasks by index. */
  List<TaskRecord> tasks();

  /** Returns the first task that does not run and may run later, or null. */
  TaskRecord firstBefore();

  /** Returns the newest start of its gang; {@link GangStart#NONE} before the first. */
  GangStart gangStart();

  /** Returns whether a task of it was seen running. */
  boolean hasBegun();

  /**
   * Returns how long ago its first task began, in nanoseconds; 0 if none has.
   *
   * @param now on the monotonic clock
   */
  long ranFor(long now);

  /** Returns whether none of its tasks has changed alone: none was ready or had a place before. */
  boolean isUntouched();

  /** Returns the dependencies that are not met yet. */
  Set<JobDependency> open();

  /**
   * Returns why the tasks are in a final state: the reason of the untouched tasks, or else that of
   * the first task with one; null if no task has a reason, and for success.
   */
  String reason(TaskState state);

  /**
   * Returns the first exit code other than 0 of the tasks; 0 only if the job has succeeded or is of
   * one task; else null.
   */
  Integer exitCode();
}
