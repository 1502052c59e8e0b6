package io.remuda.coordinator.store.query;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How many tasks of a job are in each state, by the store. */
public final class TaskCounts {

  private TaskCounts() {}

  /** Returns the numbers of a job's tasks, without states that no task is in. */
  public static Map<TaskState, Integer> of(JobRow job, StoreReader reader) throws IOException {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    if (job.tasks() == 1 || job.state() == TaskState.SUCCEEDED) {
      counts.put(job.state(), job.tasks());
      return counts;
    }
    int untouched = job.tasks();
    for (Map.Entry<TaskState, Integer> count : rows(job, reader)) {
      counts.put(count.getKey(), count.getValue());
      untouched -= count.getValue();
    }
    if (untouched > 0) {
      counts.merge(job.first(), untouched, Integer::sum); // they have no rows of their own
    }
    return counts;
  }

  private static List<Map.Entry<TaskState, Integer>> rows(JobRow job, StoreReader reader)
      throws IOException {
    return reader.read(
        on ->
            SqlQueryRunner.all(
                on,
                "SELECT state, COUNT(*) FROM tasks WHERE job = ? GROUP BY state",
                row -> Map.entry(TaskState.valueOf(row.getString(1)), row.getInt(2)),
                job.id().value()));
  }
}
