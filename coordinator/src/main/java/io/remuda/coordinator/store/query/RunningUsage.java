package io.remuda.coordinator.store.query;

import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.DailyUsageRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads what attempts have held so far that run. What they use is not in the state until they end,
 * so it is not among what was measured.
 */
public final class RunningUsage {

  private static final int MOST_TASKS = 50_000;
  private static final int PORTION = 500; // jobs whose specs are read at once
  private static final long MILLIS = 1000;
  private static final long DAY_MILLIS = 86_400_000;

  private final StoreReader store;
  private final Map<DeviceId, Long> sizes;

  /**
   * @param sizes bytes of the devices; of one that is missing a part counts as all of it
   */
  public RunningUsage(StoreReader store, Map<DeviceId, Long> sizes) {
    this.store = store;
    this.sizes = sizes;
  }

  /**
   * Returns a row for each attempt that runs; blocks.
   *
   * @param user whose attempts; null for all users
   * @param since what was held before is not counted, in milliseconds since 1970, as the next
   * @param now the day of the rows
   */
  public List<DailyUsageRow> read(String user, long since, long now) throws IOException {
    String tasks =
        "SELECT tasks.* FROM jobs JOIN tasks ON tasks.job = jobs.id"
            + " WHERE jobs.ended = 0 AND tasks.started > 0 AND tasks.ended = 0";
    String order = " ORDER BY tasks.job, tasks.idx LIMIT ?";
    List<TaskRow> rows =
        user == null
            ? store.query(tasks + order, RowMapping.TASKS::read, MOST_TASKS)
            : store.query(
                tasks + " AND jobs.\"user\" = ?" + order, RowMapping.TASKS::read, user, MOST_TASKS);
    Map<JobId, List<TaskRow>> byJob =
        rows.stream()
            .filter(row -> row.node() != null && row.state().holdsPlace())
            .collect(Collectors.groupingBy(row -> row.id().job()));
    List<JobId> jobs = List.copyOf(byJob.keySet());
    List<DailyUsageRow> usage = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += PORTION) {
      for (JobSpec job : store.specs(jobs.subList(from, Math.min(jobs.size(), from + PORTION)))) {
        String type = UsageAccumulator.sumOf(job);
        for (TaskRow row : byJob.get(job.id())) {
          long ran = now - Math.max(since, row.started());
          if (ran > 0) {
            usage.add(
                new DailyUsageRow(
                    new UsageKey(now / DAY_MILLIS, job.user(), type, row.node()),
                    held(job.request(row.id().index()), row.devices(), ran)));
          }
        }
      }
    }
    return usage;
  }

  private UsageTotals held(ResourceRequest needs, List<DeviceId> devices, long ran) {
    double gpus = 0;
    for (DeviceId device : devices) {
      long size = sizes.getOrDefault(device, 0L);
      boolean part = needs.gpuShare().isShared() && size > 0;
      gpus += part ? Math.min(1, (double) needs.gpuShare().partOf(size) / size) : 1;
    }
    long cpus = needs.milliCpus() * ran / MILLIS;
    return new UsageTotals(0, 0, 0, ran, cpus, 0, 0, (long) (gpus * ran), 0, 0, 0, 0, 0, 0, 0);
  }
}
