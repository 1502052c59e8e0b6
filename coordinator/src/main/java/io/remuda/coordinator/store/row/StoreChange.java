package io.remuda.coordinator.store.row;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;

/** A change to be made durable. */
public sealed interface StoreChange {

  /** A new job. */
  record JobAdded(JobSpec spec, JobRow row) implements StoreChange {}

  /** A job with other terms. */
  record JobChanged(JobSpec spec, JobRow row) implements StoreChange {}

  /** The new state of a job. */
  record JobMoved(JobRow row) implements StoreChange {}

  /** The new state of a task. */
  record TaskMoved(TaskRow row) implements StoreChange {}

  /** A task that had succeeded is to start again with its gang; its new state follows. */
  record TaskReturned(TaskId task) implements StoreChange {}

  /** An event for the event log. */
  record Happened(EventLogEntry event) implements StoreChange {}

  /** The new state of a user. */
  record UserSet(UserRow user) implements StoreChange {}

  /** A node that gets no new tasks from now on; the reason is empty if none is given. */
  record NodeDrained(String node, String reason) implements StoreChange {}

  /** A node that gets tasks again, except on GPUs that were drained for themselves. */
  record NodeResumed(String node) implements StoreChange {}

  /** A GPU that gets no new tasks from now on; the reason is empty if none is given. */
  record GpuDrained(String node, DeviceId gpu, String reason) implements StoreChange {}

  /** A GPU that gets tasks again. */
  record GpuResumed(String node, DeviceId gpu) implements StoreChange {}

  /** A profile learned at {@code at}, in milliseconds since 1970. */
  record ProfileSet(Profile profile, long at) implements StoreChange {}

  /** The deletion of a job type's profile. */
  record ProfileForgotten(JobType type) implements StoreChange {}

  /** A notice that is to be sent. */
  record NoticeDue(NoticeRow notice) implements StoreChange {}

  /** A notice that was sent, or given up. */
  record NoticeDone(long number) implements StoreChange {}

  /** The total use of a user, in core-seconds. */
  record UseNoted(String user, double coreSeconds) implements StoreChange {}

  /** What attempts used that have ended; it is added to what is stored under the key. */
  record UsageAdded(UsageKey key, UsageTotals totals) implements StoreChange {}
}
