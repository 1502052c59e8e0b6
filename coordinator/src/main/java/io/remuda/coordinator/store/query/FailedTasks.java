package io.remuda.coordinator.store.query;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import java.io.IOException;
import java.util.BitSet;

/** The tasks of a job that did not succeed. */
public final class FailedTasks {

  private FailedTasks() {}

  /** Returns the indices of a job's tasks that have failed or were lost, in ascending order. */
  public static int[] failed(JobRow job, StoreReader reader) throws IOException {
    return ended(job, reader, "'FAILED', 'LOST'").stream().toArray();
  }

  /**
   * Returns the indices of a job's tasks that have failed, were lost or were cancelled, in
   * ascending order.
   */
  public static int[] unsuccessful(JobRow job, StoreReader reader) throws IOException {
    BitSet tasks = ended(job, reader, "'FAILED', 'LOST', 'CANCELLED'");
    if (job.first() == TaskState.CANCELLED) {
      BitSet never = indices(reader, "SELECT idx FROM tasks WHERE job = ?", job.id().value());
      never.flip(0, job.tasks()); // many tasks that were never placed have no row
      tasks.or(never);
    }
    return tasks.stream().toArray();
  }

  private static BitSet ended(JobRow job, StoreReader reader, String states) throws IOException {
    return indices(
        reader,
        "SELECT idx FROM tasks WHERE job = ? AND state IN (" + states + ")",
        job.id().value());
  }

  private static BitSet indices(StoreReader reader, String sql, Object... parameters)
      throws IOException {
    BitSet indices = new BitSet();
    reader.query(sql, row -> row.getInt(1), parameters).forEach(indices::set);
    return indices;
  }
}
