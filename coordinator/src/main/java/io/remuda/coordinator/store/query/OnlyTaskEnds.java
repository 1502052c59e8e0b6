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

/** How jobs ended that have one task, by the store. */
public final class OnlyTaskEnds {

  /**
   * How the only task of a job ended.
   *
   * @param signal that ended it; null for none
   * @param ranMillis how long it ran, by its node's monotonic clock, 0 or more; null if that is not
   *     known, and if it ran more than once, because the job's time is that of all its attempts
   */
  public record End(Integer signal, Long ranMillis) {

    /** Of a job of which nothing is known, or that has several tasks. */
    public static final End UNKNOWN = new End(null, null);
  }

  private record Ended(JobId job, End end) {}

  private OnlyTaskEnds() {}

  /** Returns the ends of those of these jobs that have ended and have one task that ran. */
  public static Map<JobId, End> of(Collection<JobRow> jobs, StoreReader reader) throws IOException {
    List<JobRow> single =
        jobs.stream().filter(job -> job.state().isFinal() && job.tasks() == 1).toList();
    Map<JobId, End> ends = new HashMap<>();
    if (!single.isEmpty()) {
      reader
          .query(
              "SELECT job, attempt, \"end\" FROM tasks"
                  + " WHERE idx = 0 AND \"end\" IS NOT NULL AND job IN ("
                  + String.join(", ", Collections.nCopies(single.size(), "?"))
                  + ")",
              OnlyTaskEnds::ended,
              single.stream().map(job -> (Object) job.id().value()).toArray())
          .forEach(task -> ends.put(task.job(), task.end()));
    }
    return ends;
  }

  private static Ended ended(ResultSet row) throws SQLException, StoreDamagedException {
    try {
      JsonNode end = RowMapping.JSON.readTree(row.getString("end"));
      JsonNode signal = end.path("signal");
      JsonNode ran = end.path("wallMillis");
      return new Ended(
          new JobId(row.getLong("job")),
          new End(
              signal.isInt() ? signal.asInt() : null,
              ran.isNumber() && row.getInt("attempt") == 1 ? ran.asLong() : null));
    } catch (JsonProcessingException damaged) {
      throw new StoreDamagedException("the end of a task is damaged", damaged);
    }
  }
}
