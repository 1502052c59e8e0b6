package io.remuda.coordinator.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import io.remuda.coordinator.meter.DurationHistogram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects series of metrics. A value that is not known makes no series, and a metric without
 * series is not there. Single-threaded.
 */
final class SeriesCollector {

  private static final String TOTAL = "_total";
  private static final String INFO = "_info";

  private record Series(Labels labels, double value, DurationHistogram.Reading histogram) {}

  private final Map<MetricDescription, List<Series>> byMetric = new LinkedHashMap<>();

  /**
   * Adds a series.
   *
   * @param value null if it is not known
   */
  void add(MetricDescription metric, Number value, Labels labels) {
    if (value != null) {
      add(metric, new Series(labels, value.doubleValue(), null));
    }
  }

  /** Adds a series that says whether something is so. */
  void add(MetricDescription metric, boolean is, Labels labels) {
    add(metric, is ? 1 : 0, labels);
  }

  /** Adds a series that is a part of a unit, such as thousandths; null if it is not known. */
  void add(MetricDescription metric, Number value, double of, Labels labels) {
    if (value != null) {
      add(metric, value.doubleValue() / of, labels);
    }
  }

  /** Adds the only series of a histogram. */
  void add(MetricDescription metric, DurationHistogram.Reading reading) {
    add(metric, new Series(Labels.EMPTY, 0, reading));
  }

  private void add(MetricDescription metric, Series series) {
    byMetric.computeIfAbsent(metric, none -> new ArrayList<>()).add(series);
  }

  /** Returns all that was collected. */
  MetricSnapshots snapshots() {
    List<MetricSnapshot> all = new ArrayList<>();
    byMetric.forEach((metric, series) -> all.add(snapshot(metric, series)));
    return new MetricSnapshots(all);
  }

  private static MetricSnapshot snapshot(MetricDescription metric, List<Series> series) {
    MetricMetadata said =
        new MetricMetadata(
            plain(metric), metric.help(), metric.unit().isEmpty() ? null : new Unit(metric.unit()));
    return switch (metric.kind()) {
      case GAUGE ->
          new GaugeSnapshot(
              said,
              series.stream()
                  .map(one -> new GaugeDataPointSnapshot(one.value(), one.labels(), null))
                  .toList());
      case COUNTER ->
          new CounterSnapshot(
              said,
              series.stream()
                  .map(one -> new CounterDataPointSnapshot(one.value(), one.labels(), null, 0))
                  .toList());
      case INFO ->
          new InfoSnapshot(
              said, series.stream().map(one -> new InfoDataPointSnapshot(one.labels())).toList());
      case UNKNOWN ->
          new UnknownSnapshot(
              said,
              series.stream()
                  .map(one -> new UnknownDataPointSnapshot(one.value(), one.labels(), null))
                  .toList());
      case HISTOGRAM ->
          new HistogramSnapshot(said, series.stream().map(SeriesCollector::histogram).toList());
    };
  }

  /** Returns the name to which the library adds the ending of the kind. */
  private static String plain(MetricDescription metric) {
    String end =
        switch (metric.kind()) {
          case COUNTER -> TOTAL;
          case INFO -> INFO;
          default -> "";
        };
    return metric.title().substring(0, metric.title().length() - end.length());
  }

  private static HistogramDataPointSnapshot histogram(Series series) {
    List<Double> bounds = new ArrayList<>(series.histogram().bounds());
    bounds.add(Double.POSITIVE_INFINITY);
    return new HistogramDataPointSnapshot(
        ClassicHistogramBuckets.of(bounds, series.histogram().counts()),
        series.histogram().sumSeconds(),
        series.labels(),
        Exemplars.EMPTY,
        0);
  }
}
