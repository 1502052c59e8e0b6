package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.worker.job.JobId;
import java.io.IOException;

/** Rejections of requests for jobs that are not in the store. */
public final class MissingJob {

  private MissingJob() {}

  /** Returns a rejection that distinguishes removed jobs from jobs that never existed. */
  public static Rejection of(JobId id, StoreReader reader) throws IOException {
    return reader.isRemoved(id)
        ? new Rejection(
            Rejection.Code.NOT_FOUND,
            "job " + id + " is over and was removed",
            "jobs that are over are kept as long as remuda.coordinator.retention says")
        : Rejection.of(Rejection.Code.NOT_FOUND, "there is no job " + id);
  }
}
