package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.GpuText;
import io.remuda.coordinator.history.HistoryStore;
import io.remuda.coordinator.occupancy.GpuRecords;
import io.remuda.coordinator.rest.answer.TimelineAnswer;
import io.remuda.coordinator.rest.answer.UsageAnswer;
import io.remuda.coordinator.rest.answer.WasteAnswer;
import io.remuda.coordinator.rest.query.TimelineQuery;
import io.remuda.coordinator.rest.query.UsageQuery;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.UsageQueries;
import io.remuda.coordinator.store.row.DailyUsageRow;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.usage.UnusedResourceText;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads what was held, used and wasted: from the store, the history and the nodes as they are. One
 * of these for each question; blocks.
 */
public final class WasteReader {

  private static final int MOST_ROWS = 200;
  private static final double SECONDS_OF_HOUR = 3600;
  private static final double HUNDREDTHS = 100;
  private static final long MOST_SECONDS = 14 * 86_400L;

  private record JobClass(String user, String type) {}

  private final StoreReader store;
  private final UsageQuery query;
  private final List<WasteAnswer.Row> rows = new ArrayList<>();

  /**
   * @param query whose user is null for all users
   */
  public WasteReader(StoreReader store, UsageQuery query) {
    this.store = store;
    this.query = query;
  }

  /**
   * Returns the answer.
   *
   * @param nodes as they are
   * @param history if it is kept, as records
   * @param now in seconds since 1970
   */
  public WasteAnswer read(
      ClusterNodesSnapshot nodes,
      Optional<HistoryStore> history,
      Optional<GpuRecords> records,
      long now)
      throws IOException {
    UsageSums sums = UsageSums.read(store, query, nodes, now);
    UsageAnswer users = sums.by(UsageQuery.Grouping.USER);
    unused(sums.ended());
    squatters(nodes);
    long end = query.until().plusDays(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond();
    TimelineAnswer timeline = null;
    GpuEnergy energy = GpuEnergy.NONE;
    if (history.isPresent() && records.isPresent()) {
      long from =
          Math.max(query.since().atStartOfDay(ZoneOffset.UTC).toEpochSecond(), now - MOST_SECONDS);
      long to = Math.min(end, now);
      if (from < to) {
        from = GpuEnergy.from(history.get(), nodes, from, to);
        timeline =
            new TimelineReader(store, records.get(), new TimelineQuery(from, to, null)).read();
        energy = GpuEnergy.of(history.get(), timeline, nodes, now);
        idle(energy.idle(), now);
      }
    }
    return new WasteAnswer(
        users.since(),
        users.until(),
        users.total(),
        users.sums(),
        sums.by(UsageQuery.Grouping.TYPE).sums(),
        sums.by(UsageQuery.Grouping.NODE).sums(),
        rows.subList(0, Math.min(MOST_ROWS, rows.size())),
        timeline == null ? List.of() : gaps(timeline, now),
        energy.sums(query.user()),
        timeline == null ? now : Math.max(timeline.from(), timeline.since()),
        end < now ? 0 : idleForLess(nodes, energy.idle()),
        timeline != null && timeline.more());
  }

  private void unused(List<DailyUsageRow> ended) {
    Map<JobClass, UsageTotals> classes =
        UsageQueries.sums(ended, row -> new JobClass(row.key().user(), row.key().type()));
    classes.forEach(
        (one, totals) ->
            UnusedResourceText.resources(totals)
                .forEach(
                    unused ->
                        rows.add(
                            new WasteAnswer.Row(
                                unused.kind(),
                                one.user(),
                                one.type(),
                                null,
                                null,
                                null,
                                unused.text(),
                                null,
                                unused.mend()))));
  }

  private void squatters(ClusterNodesSnapshot cluster) {
    for (NodeOffer node : cluster.nodes()) {
      NodeSample sample = cluster.samples().get(node.node());
      for (DeviceOffer device : node.devices()) {
        for (DeviceProcess process : device.strangers().processes()) {
          rows.add(
              new WasteAnswer.Row(
                  "squatter",
                  process.user(),
                  null,
                  node.node(),
                  GpuEnergy.name(node.node(), device.id(), sample),
                  null,
                  GpuText.stranger(process),
                  null,
                  "ssh " + node.node() + " kill " + process.pid()));
        }
      }
    }
  }

  /** Adds a row for each job that has GPUs which are not used. */
  private void idle(List<GpuEnergy.Idle> idle, long now) throws IOException {
    Map<Long, List<GpuEnergy.Idle>> jobs = new TreeMap<>();
    for (GpuEnergy.Idle one : idle) {
      if (query.user() == null || query.user().equals(one.span().user())) {
        jobs.computeIfAbsent(one.span().job(), none -> new ArrayList<>()).add(one);
      }
    }
    for (Map.Entry<Long, List<GpuEnergy.Idle>> job : jobs.entrySet()) {
      int tasks = store.job(new JobId(job.getKey())).map(JobRow::tasks).orElse(1);
      rows.add(IdleGpuRows.row(job.getValue(), tasks, now));
    }
  }

  /** Counts GPUs that are held and not used now, and not among the rows. */
  private int idleForLess(ClusterNodesSnapshot cluster, List<GpuEnergy.Idle> listed)
      throws IOException {
    Set<String> told = listed.stream().map(one -> one.span().uuid()).collect(Collectors.toSet());
    Map<JobId, Boolean> own = new HashMap<>();
    int count = 0;
    for (NodeSample sample : cluster.samples().values()) {
      for (DeviceSample device : sample.devices()) {
        Integer use = device.utilGpu();
        if (use != null && use == 0 && !told.contains(device.id().uuid())) {
          boolean held = false;
          for (AttemptId holder : cluster.holders().getOrDefault(device.id(), List.of())) {
            held |= isOf(holder.task().job(), own);
          }
          count += held ? 1 : 0;
        }
      }
    }
    return count;
  }

  /** Returns whether a job is of whom is asked for. */
  private boolean isOf(JobId job, Map<JobId, Boolean> known) throws IOException {
    Boolean own = query.user() == null ? Boolean.TRUE : known.get(job);
    if (own == null) {
      own = store.job(job).map(row -> row.user().equals(query.user())).orElse(false);
      known.put(job, own);
    }
    return own;
  }

  private static List<WasteAnswer.Gap> gaps(TimelineAnswer timeline, long now) {
    Map<String, Double> hours = new TreeMap<>();
    for (TimelineAnswer.Gap gap : timeline.gaps()) {
      long from = Math.max(gap.from(), timeline.from());
      long to = Math.min(gap.to() == null ? now : gap.to(), timeline.to());
      hours.merge(gap.reason(), Math.max(0, to - from) / SECONDS_OF_HOUR, Double::sum);
    }
    List<WasteAnswer.Gap> gaps = new ArrayList<>();
    hours.forEach(
        (reason, sum) ->
            gaps.add(
                new WasteAnswer.Gap(
                    reason, GapText.of(reason), Math.rint(sum * HUNDREDTHS) / HUNDREDTHS)));
    return gaps;
  }
}
