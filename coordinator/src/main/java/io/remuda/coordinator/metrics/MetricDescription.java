package io.remuda.coordinator.metrics;

import java.util.List;

/** What is said of a metric. */
public interface MetricDescription {

  MetricKind kind();

  /** Returns the whole name, as a query has it. */
  String title();

  /** Returns the unit, with which the name ends but for {@code _total}; empty for a number. */
  String unit();

  /** Returns a sentence for people. */
  String help();

  /** Returns the names of its labels, in the order in which they are set. */
  List<String> labels();
}
