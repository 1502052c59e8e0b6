package io.remuda.coordinator.history;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a series of the history is about. The order is that of stored numbers. */
public enum SeriesKind {
  /** A GPU, named by its UUID. */
  GPU("gpu"),
  /** A node, by its name. */
  NODE("node"),
  /** An attempt of a task, as {@code JOB.TASK.ATTEMPT}. */
  TASK("task"),
  /** All tasks that wait or run, or those of a user or with a reason. */
  QUEUE("queue");

  private final String label;

  SeriesKind(String label) {
    this.label = label;
  }

  /** Returns the name in commands and answers. */
  public String label() {
    return label;
  }

  /** Returns the kind of a name, if there is one. */
  public static Optional<SeriesKind> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
  }

  /** Returns its metrics, in the order of their stored columns. */
  public List<HistoryMetric> metrics() {
    return HistoryMetric.of(this);
  }
}
