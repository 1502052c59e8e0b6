package io.remuda.coordinator.store.row;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;

/** A change to be made durable. */
public sealed interface LogEntry {

  /** A new job. */
  record JobAdded(JobSpec spec, JobRow row) implements LogEntry {}

  /** A job with other terms. */
  record JobChanged(JobSpec spec, JobRow row) implements LogEntry {}

  /** The new state of a job. */
  record JobMoved(JobRow row) implements LogEntry {}

  /** The new state of a task. */
  record TaskMoved(TaskRow row) implements LogEntry {}

  /** A task that had succeeded is to start again with its gang; its new state follows. */
  record TaskReturned(TaskId task) implements LogEntry {}

  /** An event for the event log. */
  record Happened(AuditEvent event) implements LogEntry {}

  /** The new state of a user. */
  record UserSet(UserRow user) implements LogEntry {}

  /** A node that gets no new tasks from now on; the reason is empty if none is given. */
  record NodeDrained(String node, String reason) implements LogEntry {}

  /** A node that gets tasks again, except on GPUs that were drained for themselves. */
  record NodeResumed(String node) implements LogEntry {}

  /** A GPU that gets no new tasks from now on; the reason is empty if none is given. */
  record GpuDrained(String node, DeviceId gpu, String reason) implements LogEntry {}

  /** A GPU that gets tasks again. */
  record GpuResumed(String node, DeviceId gpu) implements LogEntry {}

  /** A profile learned at {@code at}, in milliseconds since 1970. */
  record ProfileSet(Profile profile, long at) implements LogEntry {}

  /** The deletion of a job type's profile. */
  record ProfileForgotten(JobType type) implements LogEntry {}

  /** A notice that is to be sent. */
  record NoticeDue(NoticeRow notice) implements LogEntry {}

  /** A notice that was sent, or given up. */
  record NoticeDone(long number) implements LogEntry {}

  /** The total use of a user, in core-seconds. */
  record UseNoted(String user, double coreSeconds) implements LogEntry {}

  /** What attempts used that have ended; it is added to what is stored under the key. */
  record UsageAdded(UsageKey key, UsageTotals totals) implements LogEntry {}
}
