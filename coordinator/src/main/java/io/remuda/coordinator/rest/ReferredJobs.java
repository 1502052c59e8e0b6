package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.StoredJobs;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what the store says of the jobs to which a submission refers. */
final class ReferredJobs {

  private ReferredJobs() {}

  /** Returns whether none of the jobs has an idempotency key or runs after another. */
  static boolean areNone(List<NewJob> jobs) {
    return jobs.stream().allMatch(job -> job.terms().after().isEmpty() && job.clientKey() == null);
  }

  static StoredJobs read(List<NewJob> jobs, StoreReader reader) throws IOException {
    Map<String, JobId> byKey = new HashMap<>();
    Map<JobId, TaskState> states = new HashMap<>();
    Set<JobId> removed = new HashSet<>();
    for (NewJob job : jobs) {
      if (job.clientKey() != null) {
        reader
            .byKey(job.user(), job.clientKey())
            .ifPresent(row -> byKey.put(job.clientKey(), row.id()));
      }
      for (JobDependency dependency : job.terms().after()) {
        Optional<JobRow> row = reader.job(dependency.job());
        row.ifPresent(there -> states.put(there.id(), there.state()));
        if (row.isEmpty() && reader.isRemoved(dependency.job())) {
          removed.add(dependency.job());
        }
      }
    }
    return new StoredJobs(byKey, states, removed);
  }
}
