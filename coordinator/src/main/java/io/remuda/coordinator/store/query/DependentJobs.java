package io.remuda.coordinator.store.query;

import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.List;

/** The jobs that wait for another one. */
public final class DependentJobs {

  private DependentJobs() {}

  /** Returns the numbers of the jobs that have not ended and wait for this one, in order. */
  public static List<Long> of(JobRow job, StoreReader reader) throws IOException {
    JobId id = job.id();
    return job.state().isFinal()
        ? List.of()
        : reader.query(
            "SELECT id FROM jobs WHERE ended = 0 AND open LIKE ? ORDER BY id",
            row -> row.getLong(1),
            "%\"" + id + ":%");
  }
}
