package io.remuda.coordinator.store.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The most memory that tasks had, by the store. It knows it of attempts that have ended; what those
 * that run have had so far, their nodes report.
 */
public final class PeakMemory {

  /** Rows of one query: other readers have their turn between two of them. */
  private static final int ROWS = 2000;

  /**
   * The memory of one task.
   *
   * @param bytes null if it is not known
   */
  private record Peak(int task, Long bytes) {}

  private PeakMemory() {}

  /** Returns the highest peak of a job's tasks, in bytes; null if none is known. */
  public static Long of(JobId job, StoreReader reader) throws IOException {
    return of(job, 0, Integer.MAX_VALUE, reader);
  }

  /** Returns the peak of one task, in bytes; null if it is not known. */
  public static Long of(TaskId task, StoreReader reader) throws IOException {
    return of(task.job(), task.index(), task.index(), reader);
  }

  /** Reads part by part: a job may have a million tasks. */
  private static Long of(JobId job, int first, int last, StoreReader reader) throws IOException {
    Long most = null;
    int next = first;
    List<Peak> part;
    do {
      part =
          reader.query(
              "SELECT idx, state, \"end\" FROM tasks WHERE job = ? AND idx >= ? AND idx <= ?"
                  + " ORDER BY idx LIMIT ?",
              PeakMemory::peak,
              job.value(),
              next,
              last,
              ROWS);
      for (Peak peak : part) {
        most = higher(most, peak.bytes());
        next = peak.task() + 1;
      }
    } while (part.size() == ROWS);
    return most;
  }

  /** Returns the higher of two peaks; null if none is known. */
  public static Long higher(Long one, Long other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.max(one, other);
  }

  /** Returns the peak of a row, whose end is of an earlier attempt while a newer one runs. */
  private static Peak peak(ResultSet row) throws SQLException, StoreDamagedException {
    String end = row.getString("end");
    boolean runs = TaskState.valueOf(row.getString("state")).holdsPlace();
    return new Peak(row.getInt("idx"), end == null || runs ? null : bytes(end));
  }

  private static Long bytes(String end) throws StoreDamagedException {
    try {
      JsonNode bytes = RowMapping.JSON.readTree(end).path("peakRssBytes");
      return bytes.isNumber() ? bytes.asLong() : null;
    } catch (JsonProcessingException damaged) {
      throw new StoreDamagedException("the end of a task is damaged", damaged);
    }
  }
}
