package io.remuda.coordinator.store;

import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.warm.WarmState;
import io.remuda.coordinator.store.warm.WarmTable;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Makes a state of rows that were read ahead, to rehearse with. It may be behind the database. */
public final class StateRehearsal {

  private StateRehearsal() {}

  /**
   * Returns the state.
   *
   * @param connection to look up environments of jobs
   * @param heap bytes that are free for it
   * @param over whether the state is of no use any more; asked for each row
   * @return empty if it is over
   * @throws StoreTooLargeException if there is too little memory for it
   */
  public static Optional<StoreState> load(
      Connection connection, WarmState.Rows warm, long heap, BooleanSupplier over)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    LoadedBytes loaded = new LoadedBytes(heap);
    StateLoader loader = new StateLoader(null, loaded);
    Map<JobId, EndedTasks> ended = new HashMap<>();
    Map<JobId, List<TaskRow>> tasks = new HashMap<>();
    LiveRowChecksums<TaskId> sums = new LiveRowChecksums<>(MetaTable.TASKS);
    for (WarmTable.Row<TaskId, TaskRow> row : warm.tasks().rows()) {
      if (over.getAsBoolean()) {
        return Optional.empty();
      }
      loader.add(row.value(), row.sum(), sums, tasks, ended);
    }
    Map<JobId, JobSpecCodec.Alike> specs = new HashMap<>();
    for (WarmTable.Row<JobId, JobSpecCodec.Alike> row : warm.specs().rows()) {
      loaded.add(WarmState.bytes(row.value()));
      specs.put(row.key(), row.value());
    }
    List<JobRow> rows =
        warm.jobs().rows().stream()
            .map(WarmTable.Row::value)
            .sorted(Comparator.comparing(JobRow::id))
            .toList();
    List<StoreState.LiveJob> jobs = new ArrayList<>(rows.size());
    for (JobRow row : rows) {
      if (over.getAsBoolean()) {
        return Optional.empty();
      }
      jobs.addAll(loader.join(List.of(row), specs, connection));
    }
    return Optional.of(StoreState.toRehearse(jobs, tasks, ended));
  }
}
