package io.remuda.coordinator.store.query;

import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.DailyUsageRow;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.usage.AttemptUsage;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what attempts used. Each query blocks. */
public final class UsageQueries {

  private static final int TASKS_AT_ONCE = 1000;

  private UsageQueries() {}

  /**
   * Returns what attempts used that ended in a span of days.
   *
   * @param first day since 1970 in UTC
   * @param last day, included
   * @param user whose attempts; null for all users
   */
  public static List<DailyUsageRow> days(StoreReader reader, long first, long last, String user)
      throws IOException {
    String days = "SELECT * FROM usage WHERE day >= ? AND day <= ?";
    String order = " ORDER BY day, \"user\", type, node";
    return user == null
        ? reader.query(days + order, RowMapping.USAGE::read, first, last)
        : reader.query(
            days + " AND \"user\" = ?" + order, RowMapping.USAGE::read, first, last, user);
  }

  /**
   * Returns the jobs that ended in a span of time, the last one first.
   *
   * @param since milliseconds since 1970
   * @param before milliseconds since 1970, not included
   * @param user whose jobs; null for those of all users
   */
  public static List<JobRow> endedJobs(
      StoreReader reader, long since, long before, String user, int limit) throws IOException {
    String jobs = "SELECT * FROM jobs WHERE ended >= ? AND ended < ?";
    String order = " ORDER BY ended DESC, id DESC LIMIT ?";
    return user == null
        ? reader.query(jobs + order, RowMapping.JOBS::read, since, before, limit)
        : reader.query(
            jobs + " AND \"user\" = ?" + order, RowMapping.JOBS::read, since, before, user, limit);
  }

  /** Returns what the newest attempts of a job's tasks used. */
  public static UsageTotals ofJob(StoreReader reader, JobId id) throws IOException {
    Optional<JobSpec> spec = reader.spec(id);
    UsageTotals sum = UsageTotals.NONE;
    if (spec.isEmpty()) {
      return sum;
    }
    int next = 0;
    StoreReader.RowBatch<TaskRow> part;
    do {
      part = reader.tasks(id, next, TASKS_AT_ONCE);
      for (TaskRow task : part.rows()) {
        sum = sum.plus(totals(spec.get(), task));
        next = task.id().index() + 1;
      }
    } while (part.more() && !part.rows().isEmpty());
    return sum;
  }

  private static UsageTotals totals(JobSpec spec, TaskRow task) {
    boolean ran = task.started() > 0 && task.ended() > task.started();
    Long measured = task.end() == null ? null : task.end().wallMillis();
    long millis = measured != null ? measured : ran ? task.ended() - task.started() : 0;
    return new AttemptUsage(
            spec.request(task.id().index()), task.devices().size(), millis, task.end())
        .totals(task.id().index() == 0, true);
  }

  /** Returns sums by another key than that of the rows, in the order of the rows. */
  public static <K> Map<K, UsageTotals> sums(
      List<DailyUsageRow> rows, java.util.function.Function<DailyUsageRow, K> key) {
    Map<K, UsageTotals> sums = new LinkedHashMap<>();
    rows.forEach(row -> sums.merge(key.apply(row), row.totals(), UsageTotals::plus));
    return sums;
  }
}
