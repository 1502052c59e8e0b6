package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobDependency;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Checks a submission's dependencies on jobs in the store. */
final class DependencyChecks {

  private DependencyChecks() {}

  /** Returns what is wrong with the first wrong dependency. */
  static Optional<Rejection> fault(List<NewJob> jobs, StoreReader reader) throws IOException {
    for (int i = 0; i < jobs.size(); i++) {
      for (JobDependency dependency : jobs.get(i).terms().after()) {
        Optional<Rejection> no =
            fault(dependency, reader)
                .map(why -> "after " + dependency + ": " + why)
                .map(why -> Rejection.of(Rejection.Code.INVALID, why));
        if (no.isPresent()) {
          return jobs.size() == 1 ? no : Optional.of(no.get().about(jobs.get(i), i));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> fault(JobDependency dependency, StoreReader reader)
      throws IOException {
    Optional<JobRow> row = reader.job(dependency.job());
    if (row.isEmpty()) {
      return Optional.of(
          reader.isRemoved(dependency.job())
              ? "it is over and was removed, so nobody knows how it ended"
              : "there is no such job");
    }
    boolean over = row.get().state().isFinal();
    return over && !DependencyRule.isMet(dependency, row.get().state())
        ? Optional.of("it " + row.get().state().label() + ", so this would never start")
        : Optional.empty();
  }
}
