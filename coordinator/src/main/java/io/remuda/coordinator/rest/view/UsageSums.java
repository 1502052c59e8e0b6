package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.rest.answer.UnusedAnswer;
import io.remuda.coordinator.rest.answer.UsageAnswer;
import io.remuda.coordinator.rest.answer.UsageSumAnswer;
import io.remuda.coordinator.rest.query.UsageQuery;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.RunningUsage;
import io.remuda.coordinator.store.query.UsageQueries;
import io.remuda.coordinator.store.row.DailyUsageRow;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.usage.UnusedResourceText;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceId;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What attempts have used, read from the store once, and its sums by user, type, node or day. */
public final class UsageSums {

  /** Each job costs a look at its tasks. */
  private static final int MOST_JOBS = 200;

  private static final int MOST_GROUPS = 1000;
  private static final long SECONDS_OF_DAY = 86_400;
  private static final long MILLIS = 1000;

  private record JobClass(String user, String type) {}

  private final StoreReader reader;
  private final UsageQuery query;
  private final List<DailyUsageRow> ended;
  private final List<DailyUsageRow> rows;

  private UsageSums(
      StoreReader reader, UsageQuery query, List<DailyUsageRow> ended, List<DailyUsageRow> rows) {
    this.reader = reader;
    this.query = query;
    this.ended = ended;
    this.rows = rows;
  }

  /**
   * Reads what is summed; blocks. Attempts that run count on the present day, with what they have
   * held.
   *
   * @param nodes have the sizes of devices
   * @param now in seconds since 1970
   */
  public static UsageSums read(
      StoreReader reader, UsageQuery query, ClusterNodesSnapshot nodes, long now)
      throws IOException {
    List<DailyUsageRow> ended =
        UsageQueries.days(
            reader, query.since().toEpochDay(), query.until().toEpochDay(), query.user());
    List<DailyUsageRow> rows = new ArrayList<>(ended);
    long today = Math.floorDiv(now, SECONDS_OF_DAY);
    if (query.since().toEpochDay() <= today && today <= query.until().toEpochDay()) {
      Map<DeviceId, Long> sizes = new HashMap<>();
      nodes
          .nodes()
          .forEach(node -> node.devices().forEach(one -> sizes.put(one.id(), one.totalMemory())));
      rows.addAll(
          new RunningUsage(reader, sizes).read(query.user(), millis(query.since()), now * MILLIS));
    }
    return new UsageSums(reader, query, ended, rows);
  }

  /** Returns the rows of attempts that have ended, by day. */
  List<DailyUsageRow> ended() {
    return ended;
  }

  /** Returns the answer with these sums; reads jobs if it is by job, and else nothing; blocks. */
  public UsageAnswer by(UsageQuery.Grouping by) throws IOException {
    List<UsageSumAnswer> sums =
        by == UsageQuery.Grouping.JOB ? byJob(reader, query) : grouped(rows, by);
    int most = by == UsageQuery.Grouping.JOB ? MOST_JOBS : MOST_GROUPS;
    UsageTotals total =
        rows.stream().map(DailyUsageRow::totals).reduce(UsageTotals.NONE, UsageTotals::plus);
    return new UsageAnswer(
        query.since().toString(),
        query.until().toString(),
        by.label(),
        sums.subList(0, Math.min(most, sums.size())),
        sums.size() > most,
        UsageSumAnswer.of("total", total),
        unused(ended));
  }

  private static List<UsageSumAnswer> grouped(List<DailyUsageRow> rows, UsageQuery.Grouping by) {
    List<UsageSumAnswer> sums = new ArrayList<>();
    UsageQueries.sums(rows, row -> nameOf(row, by))
        .forEach((name, totals) -> sums.add(UsageSumAnswer.of(name, totals)));
    sums.sort(
        by == UsageQuery.Grouping.DAY
            ? Comparator.comparing(UsageSumAnswer::name)
            : Comparator.comparingDouble(UsageSumAnswer::gpuHoursHeld)
                .thenComparingDouble(UsageSumAnswer::cpuHoursHeld)
                .reversed()
                .thenComparing(UsageSumAnswer::name));
    return sums;
  }

  private static String nameOf(DailyUsageRow row, UsageQuery.Grouping by) {
    return switch (by) {
      case USER -> UsageAccumulator.userOf(row.key().user(), row.key().type());
      case TYPE -> row.key().type();
      case NODE -> row.key().node();
      case DAY, JOB -> LocalDate.ofEpochDay(row.key().day()).toString();
    };
  }

  private static List<UsageSumAnswer> byJob(StoreReader reader, UsageQuery query)
      throws IOException {
    List<UsageSumAnswer> sums = new ArrayList<>();
    List<JobRow> jobs =
        UsageQueries.endedJobs(
            reader,
            millis(query.since()),
            millis(query.until().plusDays(1)),
            query.user(),
            MOST_JOBS + 1);
    for (JobRow job : jobs) {
      UsageTotals totals = UsageQueries.ofJob(reader, job.id());
      sums.add(UsageSumAnswer.of(job.id() + " " + job.name(), totals));
    }
    return sums;
  }

  private static long millis(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  private static List<UnusedAnswer> unused(List<DailyUsageRow> rows) {
    Map<JobClass, UsageTotals> classes =
        UsageQueries.sums(rows, row -> new JobClass(row.key().user(), row.key().type()));
    List<UnusedAnswer> unused = new ArrayList<>();
    classes.forEach(
        (one, totals) ->
            UnusedResourceText.of(totals)
                .forEach(text -> unused.add(new UnusedAnswer(one.user(), one.type(), text))));
    return unused.subList(0, Math.min(MOST_JOBS, unused.size()));
  }
}
