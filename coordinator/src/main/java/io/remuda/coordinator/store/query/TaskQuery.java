package io.remuda.coordinator.store.query;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.StoreReader.RowBatch;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A query for tasks of a job that were placed at least once or have ended, by index.
 *
 * @param first lowest index
 * @param end index behind the last, 0 for all
 * @param states of which a task is in one; empty for any
 * @param limit maximum number of tasks
 */
public record TaskQuery(JobId job, int first, int end, Set<TaskState> states, int limit) {

  public TaskQuery {
    states = Collections.unmodifiableSet(states);
  }

  /** Asks the store. */
  public RowBatch<TaskRow> ask(StoreReader reader) throws IOException {
    if (states.isEmpty()) {
      return within(
          reader.tasks(job, first, end == 0 ? limit : Math.max(1, Math.min(limit, end - first))));
    }
    String names =
        states.stream().map(state -> "'" + state.name() + "'").collect(Collectors.joining(", "));
    return reader.tasks(
        "SELECT * FROM tasks WHERE job = ? AND idx >= ? AND idx < ? AND state IN ("
            + names
            + ") ORDER BY idx LIMIT ?",
        limit,
        job.value(),
        first,
        end == 0 ? Integer.MAX_VALUE : end,
        limit);
  }

  private RowBatch<TaskRow> within(RowBatch<TaskRow> part) {
    if (end == 0) {
      return part;
    }
    List<TaskRow> rows = part.rows().stream().filter(task -> task.id().index() < end).toList();
    boolean more = part.more() && rows.size() == part.rows().size();
    return new RowBatch<>(rows, more && rows.get(rows.size() - 1).id().index() + 1 < end);
  }
}
