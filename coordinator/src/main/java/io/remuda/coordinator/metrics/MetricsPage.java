package io.remuda.coordinator.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.cluster.ClusterMemberStatus;
import io.remuda.coordinator.meter.MeterReadings;
import java.util.Locale;

/** Makes the metrics of a cluster from what is known at the moment. */
public final class MetricsPage {

  private static final double MILLIS = 1000;
  private static final double NANOS = 1e9;

  /** Of members that the metrics know, as {@code remuda cluster} has it. */
  private static final String UP = "up";

  private final MetricsSources sources;
  private final SeriesCollector series = new SeriesCollector();

  private MetricsPage(MetricsSources sources) {
    this.sources = sources;
  }

  /** Returns the metrics in a format, compressed by gzip. */
  public static byte[] of(MetricsSources sources, MetricsFormat format) {
    return format.compressed(new MetricsPage(sources).collected().snapshots());
  }

  /** Collects all series. */
  static SeriesCollector collect(MetricsSources sources) {
    return new MetricsPage(sources).collected();
  }

  private SeriesCollector collected() {
    ClusterMetrics cluster = sources.cluster();
    new GpuSeries(cluster, series).collect();
    new NodeSeries(cluster.activity().nodes(), series).collect();
    queue(cluster);
    jobs(cluster);
    meters(cluster.meters());
    sources
        .requests()
        .forEach(
            (kind, count) ->
                series.add(
                    RemudaMetric.HTTP_REQUESTS,
                    count,
                    Labels.of("route", kind.route(), "code", Integer.toString(kind.code()))));
    coordinators();
    return series;
  }

  private void queue(ClusterMetrics cluster) {
    cluster
        .tasks()
        .forEach(
            (state, count) ->
                series.add(RemudaMetric.TASKS, count, Labels.of("state", state.label())));
    cluster
        .jobs()
        .forEach(
            (state, count) ->
                series.add(RemudaMetric.JOBS, count, Labels.of("state", state.label())));
    QueueCounts queue = cluster.activity().queue();
    queue
        .byReason()
        .forEach(
            (reason, count) ->
                series.add(RemudaMetric.TASKS_WAITING, count, Labels.of("reason", reason)));
    series.add(RemudaMetric.OLDEST_WAIT, cluster.oldestWaitSeconds(), Labels.EMPTY);
    if (sources.users()) {
      queue
          .byUser()
          .forEach(
              (user, share) -> {
                series.add(
                    RemudaMetric.USER_TASKS,
                    share.waiting(),
                    Labels.of("user", user, "state", "waiting"));
                series.add(
                    RemudaMetric.USER_TASKS,
                    share.running(),
                    Labels.of("user", user, "state", "running"));
              });
    }
  }

  private void jobs(ClusterMetrics cluster) {
    for (ClusterMetrics.RunningJob job : cluster.running()) {
      Labels labels = Labels.of("job", Long.toString(job.job()), "name", job.name());
      series.add(
          RemudaMetric.JOB_INFO, 1, sources.users() ? labels.add("user", job.user()) : labels);
    }
    series.add(RemudaMetric.JOBS_LEFT_OUT, cluster.left(), Labels.EMPTY);
  }

  private void meters(MeterReadings meters) {
    series.add(RemudaMetric.WAIT, meters.waits());
    series.add(RemudaMetric.RUN, meters.runs());
    series.add(RemudaMetric.CYCLE, meters.cycles());
    series.add(RemudaMetric.COMMIT, meters.commits());
    series.add(RemudaMetric.SYNC, meters.syncs());
    series.add(RemudaMetric.ROUND_TRIP, meters.trips());
    meters
        .steps()
        .forEach(
            (step, time) ->
                series.add(
                    RemudaMetric.CYCLE_STEPS,
                    time.toNanos() / NANOS,
                    Labels.of("step", label(step))));
    meters
        .ends()
        .forEach(
            (end, count) ->
                series.add(RemudaMetric.ATTEMPTS_ENDED, count, Labels.of("end", label(end))));
  }

  static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private void coordinators() {
    series.add(RemudaMetric.AGENTS, sources.cluster().connected(), Labels.EMPTY);
    for (ClusterMemberStatus member : sources.members()) {
      Labels labels = Labels.of("member", member.name());
      series.add(RemudaMetric.MEMBER_UP, member.state().equals(UP), labels);
      series.add(RemudaMetric.LEADER, member.leads(), labels);
    }
    if (sources.leader() != null) {
      series.add(RemudaMetric.EPOCH, sources.leader().epoch(), Labels.EMPTY);
      series.add(RemudaMetric.LEADER_SINCE, sources.leader().since(), MILLIS, Labels.EMPTY);
      series.add(RemudaMetric.STORE_TROUBLE, sources.leader().trouble() != null, Labels.EMPTY);
      series.add(RemudaMetric.BUILD_INFO, 1, Labels.of("version", sources.leader().build()));
    }
  }
}
