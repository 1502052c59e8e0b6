package io.remuda.coordinator.rest.channel;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.select.RequestedJobsFinder;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import java.io.IOException;

/** Finds a job for somebody who wants to get at its processes. */
final class OwnedJobFinder {

  private OwnedJobFinder() {}

  /**
   * Returns a job, or why there is none, it belongs to another user, or it has no such task.
   *
   * @param task index of a task, or null for the whole job
   */
  static Reply<JobRow> find(StoreReader reader, JobId id, Integer task, Caller caller)
      throws IOException {
    JobRow job = reader.job(id).orElse(null);
    if (job == null) {
      return Reply.no(MissingJob.of(id, reader));
    }
    if (!caller.mayActFor(job.user())) {
      return Reply.no(
          Rejection.of(Rejection.Code.NOT_YOURS, "job " + id + " belongs to " + job.user()));
    }
    return task != null && task >= job.tasks()
        ? Reply.no(RequestedJobsFinder.noTask(job, task))
        : Reply.of(job);
  }
}
