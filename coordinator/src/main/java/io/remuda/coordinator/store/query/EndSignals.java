package io.remuda.coordinator.store.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which signals ended jobs that have one task and ended without an exit code, by the store. */
public final class EndSignals {

  /**
   * How the only task of a job ended.
   *
   * @param signal null if no signal ended it
   */
  private record Ended(JobId job, Integer signal) {}

  private EndSignals() {}

  /** Returns the signals of those of these jobs whose only task was ended by one. */
  public static Map<JobId, Integer> of(Collection<JobRow> jobs, StoreReader reader)
      throws IOException {
    List<JobRow> without =
        jobs.stream()
            .filter(job -> job.state().isFinal() && job.tasks() == 1 && job.exitCode() == null)
            .toList();
    Map<JobId, Integer> signals = new HashMap<>();
    if (!without.isEmpty()) {
      reader
          .query(
              "SELECT job, \"end\" FROM tasks WHERE idx = 0 AND \"end\" IS NOT NULL AND job IN ("
                  + String.join(", ", Collections.nCopies(without.size(), "?"))
                  + ")",
              EndSignals::ended,
              without.stream().map(job -> (Object) job.id().value()).toArray())
          .stream()
          .filter(task -> task.signal() != null)
          .forEach(task -> signals.put(task.job(), task.signal()));
    }
    return signals;
  }

  private static Ended ended(ResultSet row) throws SQLException, StoreDamagedException {
    try {
      JsonNode signal = RowMapping.JSON.readTree(row.getString("end")).path("signal");
      return new Ended(new JobId(row.getLong("job")), signal.isInt() ? signal.asInt() : null);
    } catch (JsonProcessingException damaged) {
      throw new StoreDamagedException("the end of a task is damaged", damaged);
    }
  }
}
