package io.remuda.coordinator.rest.select;

import io.remuda.coordinator.api.JobNumbers;
import io.remuda.coordinator.rest.select.SelectedJobs.Selected;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.query.JobQuery.JobFilter;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskArrayTerms;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds a task by its own number among those of jobs, which an array from a script for sbatch has:
 * the numbers that follow the job's. The job is the newest with a lower number, so one row is read.
 */
public final class TaskNumberLookup {

  private TaskNumberLookup() {}

  /**
   * Returns the task of a number; empty if it has no task, or is that of a job.
   *
   * @throws IOException if the store cannot be read
   */
  public static Optional<Selected> find(StoreReader reader, long number) throws IOException {
    List<JobRow> before =
        JobQuery.newest(JobFilter.ALL, null, 1).between(1, number).ask(reader).rows();
    if (before.isEmpty()) {
      return Optional.empty();
    }
    JobRow row = before.get(0);
    long task = number - row.id().value() - 1;
    if (task < 0 || task >= row.tasks()) {
      return Optional.empty();
    }
    return reader
        .spec(row.id())
        .map(spec -> spec.terms().array())
        .filter(TaskArrayTerms::numbered)
        .map(terms -> new Selected(row, (int) task, terms.indexOf((int) task)));
  }

  /**
   * Returns which of some numbers are those of tasks, each as the task that it is.
   *
   * @throws IOException if the store cannot be read
   */
  public static Map<JobId, JobNumbers.Range> all(StoreReader reader, List<JobId> numbers)
      throws IOException {
    Map<JobId, JobNumbers.Range> all = new LinkedHashMap<>();
    for (JobId number : numbers) {
      Optional<Selected> found =
          reader.job(number).isPresent() ? Optional.empty() : find(reader, number.value());
      if (found.isPresent()) {
        int task = found.get().task();
        long job = found.get().row().id().value();
        all.put(number, new JobNumbers.Range(job, true, task, task));
      }
    }
    return all;
  }
}
