package io.remuda.coordinator.store.query;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.FailureLimit;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import java.io.IOException;
import java.util.BitSet;

/** The tasks of a job that did not succeed through no wish of its user. */
public final class FailedTasks {

  private FailedTasks() {}

  /**
   * Returns the indices of a job's tasks that have failed or were lost, and of those that were
   * cancelled because so many had failed, in ascending order.
   */
  public static int[] of(JobRow job, StoreReader reader) throws IOException {
    BitSet failed =
        indices(
            reader,
            "SELECT idx FROM tasks WHERE job = ? AND (state IN ('FAILED', 'LOST')"
                + " OR state = 'CANCELLED' AND (cause LIKE ? OR cause LIKE ?))",
            job.id().value(),
            "%" + FailureLimit.AFTER_ONE + "%",
            "%" + FailureLimit.AFTER_SEVERAL + "%");
    if (job.first() == TaskState.CANCELLED && FailureLimit.isIn(job.reason())) {
      BitSet never = indices(reader, "SELECT idx FROM tasks WHERE job = ?", job.id().value());
      never.flip(0, job.tasks()); // many tasks that were never placed have no row
      failed.or(never);
    }
    return failed.stream().toArray();
  }

  private static BitSet indices(StoreReader reader, String sql, Object... parameters)
      throws IOException {
    BitSet indices = new BitSet();
    reader.query(sql, row -> row.getInt(1), parameters).forEach(indices::set);
    return indices;
  }
}
