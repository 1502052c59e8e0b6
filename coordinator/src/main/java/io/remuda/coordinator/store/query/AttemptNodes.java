package io.remuda.coordinator.store.query;

import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.AuditEvent;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The nodes of earlier attempts, of which the rows of tasks know only the newest. */
public final class AttemptNodes {

  /** None. */
  public static final AttemptNodes NONE = new AttemptNodes();

  private record TaskAttempt(int task, int attempt) {}

  private final Map<TaskAttempt, String> nodes = new HashMap<>();

  private AttemptNodes() {}

  /**
   * Finds those of the tasks with an index from {@code first} to {@code last}. It looks at all
   * events of the job, so ask for many tasks at once.
   */
  public static AttemptNodes of(StoreReader reader, JobId job, int first, int last)
      throws IOException {
    AttemptNodes found = new AttemptNodes();
    reader.query(
        "SELECT * FROM events WHERE job = ? AND task >= ? AND task <= ?"
            + " AND what = 'task-starting' ORDER BY sequence",
        row -> {
          AuditEvent start = RowMapping.event(row);
          Map<String, Object> detail = RowMapping.detail(start);
          if (detail.get("attempt") instanceof Integer attempt) {
            found.nodes.putIfAbsent(
                new TaskAttempt(start.task(), attempt), (String) detail.get("node"));
          }
          return null;
        },
        job.value(),
        first,
        last);
    return found;
  }

  /** Returns the node of an attempt, if it is known. */
  public Optional<String> of(TaskId task, int attempt) {
    return Optional.ofNullable(nodes.get(new TaskAttempt(task.index(), attempt)));
  }
}
