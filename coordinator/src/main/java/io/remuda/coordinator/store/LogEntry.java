package io.remuda.coordinator.store;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.worker.job.JobSpec;

/** One thing to be made durable. */
public sealed interface LogEntry {

  /** A new job. */
  record JobAdded(JobSpec spec, JobRow row) implements LogEntry {}

  /** A job as it is now. */
  record JobMoved(JobRow row) implements LogEntry {}

  /** A task as it is now. */
  record TaskMoved(TaskRow row) implements LogEntry {}

  /** What happened, for those who ask later; its sequence is given by the store. */
  record Happened(AuditEvent event) implements LogEntry {}

  /** A user as now known. */
  record UserSet(UserRow user) implements LogEntry {}

  /** A node that gets no more tasks, or gets some again. */
  record NodeDrained(String node, boolean drained) implements LogEntry {}

  /** What a type is known to need, as learned at {@code at}, in milliseconds since 1970. */
  record ProfileSet(Profile profile, long at) implements LogEntry {}

  /** A type of which nothing is known any more. */
  record ProfileForgotten(JobType type) implements LogEntry {}

  /** What a user has used up to now, in core-seconds. */
  record UseNoted(String user, double coreSeconds) implements LogEntry {}
}
