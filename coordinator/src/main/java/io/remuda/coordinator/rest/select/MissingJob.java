package io.remuda.coordinator.rest.select;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.rest.select.SelectedJobs.Selected;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.Optional;

/** Rejections of requests for jobs that are not in the store. */
public final class MissingJob {

  private MissingJob() {}

  /**
   * Returns a rejection that distinguishes removed jobs from jobs that never existed, and from
   * numbers of tasks.
   *
   * @throws IOException if the store cannot be read
   */
  public static Rejection of(JobId id, StoreReader reader) throws IOException {
    Optional<Selected> task = TaskNumberLookup.find(reader, id.value());
    if (task.isPresent()) {
      return new Rejection(
          Rejection.Code.NOT_FOUND,
          "there is no job " + id + ": it is " + words(task.get()),
          "name the job, or the task");
    }
    return reader.isRemoved(id)
        ? new Rejection(
            Rejection.Code.NOT_FOUND,
            "job " + id + " is over and was removed",
            "jobs that are over are kept as long as remuda.coordinator.retention says")
        : Rejection.of(Rejection.Code.NOT_FOUND, "there is no job " + id);
  }

  /** Returns {@code task 5.2 (array index 3) of job 5}. */
  public static String words(Selected task) {
    String job = task.row().id().toString();
    String index = task.arrayIndex() == null ? "" : " (array index " + task.arrayIndex() + ")";
    return "task " + job + "." + task.task() + index + " of job " + job;
  }
}
