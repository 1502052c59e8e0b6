package io.remuda.coordinator.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A value that is kept over time. Values are stored as whole numbers of a unit that is coarse
 * enough for small differences from point to point: noise below what a person sees costs space. A
 * new metric is appended to its kind, for its place there is that of the stored column.
 */
public enum HistoryMetric {
  /** Share of time in which a kernel ran, percent. */
  GPU_UTILIZATION(SeriesKind.GPU, "utilization", "ratio", 0.01),
  /** Memory in use by anybody. */
  GPU_MEMORY_USED(SeriesKind.GPU, "memoryUsed", "bytes", 1 << 20),
  /** Memory promised to tasks. */
  GPU_MEMORY_LENT(SeriesKind.GPU, "memoryLent", "bytes", 1 << 20),
  /** Power draw. */
  GPU_POWER(SeriesKind.GPU, "power", "watts", 1),
  /** Temperature of the core. */
  GPU_TEMPERATURE(SeriesKind.GPU, "temperature", "celsius", 1),

  /** Share of the machine's CPU time that was not idle. */
  NODE_CPU(SeriesKind.NODE, "cpu", "ratio", 0.001),
  /** Memory that new processes cannot have. */
  NODE_MEMORY_USED(SeriesKind.NODE, "memoryUsed", "bytes", 1 << 20),
  /** Load average of a minute. */
  NODE_LOAD(SeriesKind.NODE, "load1", "tasks", 0.01),
  /** Tasks that have a place on the node. */
  NODE_TASKS(SeriesKind.NODE, "tasks", "tasks", 1),
  /** Read from all disks of the machine. */
  NODE_DISK_READ(SeriesKind.NODE, "diskRead", "bytes/s", 1 << 14),
  /** Written to all of them. */
  NODE_DISK_WRITE(SeriesKind.NODE, "diskWrite", "bytes/s", 1 << 14),
  /** Received by all network interfaces of the machine. */
  NODE_NETWORK_RECEIVED(SeriesKind.NODE, "networkReceived", "bytes/s", 1 << 14),
  /** Sent by all of them. */
  NODE_NETWORK_SENT(SeriesKind.NODE, "networkSent", "bytes/s", 1 << 14),
  /** Highest temperature of the machine, without its GPUs. */
  NODE_TEMPERATURE(SeriesKind.NODE, "temperature", "celsius", 1),

  /** CPUs in use. */
  TASK_CPU(SeriesKind.TASK, "cpu", "cores", 0.001),
  /** Resident memory of all of its processes. */
  TASK_MEMORY(SeriesKind.TASK, "memory", "bytes", 1 << 20),
  /** Memory of its GPUs in use by it. */
  TASK_GPU_MEMORY(SeriesKind.TASK, "gpuMemory", "bytes", 1 << 20),
  /** Mean utilization of its GPUs. */
  TASK_GPU_UTILIZATION(SeriesKind.TASK, "gpuUtilization", "ratio", 0.01),

  /** Tasks that wait. */
  QUEUE_WAITING(SeriesKind.QUEUE, "waiting", "tasks", 1),
  /** Tasks that have a place. */
  QUEUE_RUNNING(SeriesKind.QUEUE, "running", "tasks", 1);

  /** Stands for a value that is not there. */
  public static final int ABSENT = Integer.MIN_VALUE;

  /** The largest stored value; differences of any two fit an int. */
  private static final int MOST = 1 << 29;

  private static final Map<SeriesKind, List<HistoryMetric>> BY_KIND = byKind();

  private final SeriesKind kind;
  private final String label;
  private final String unit;
  private final double scale;

  HistoryMetric(SeriesKind kind, String label, String unit, double scale) {
    this.kind = kind;
    this.label = label;
    this.unit = unit;
    this.scale = scale;
  }

  private static Map<SeriesKind, List<HistoryMetric>> byKind() {
    Map<SeriesKind, List<HistoryMetric>> all = new EnumMap<>(SeriesKind.class);
    for (HistoryMetric metric : values()) {
      all.computeIfAbsent(metric.kind, kind -> new ArrayList<>()).add(metric);
    }
    all.replaceAll((kind, metrics) -> List.copyOf(metrics));
    return all;
  }

  static List<HistoryMetric> of(SeriesKind kind) {
    return BY_KIND.get(kind);
  }

  /** Returns the name in commands and answers. */
  public String label() {
    return label;
  }

  /** Returns the unit of values outside of the store, a base unit. */
  public String unit() {
    return unit;
  }

  /** Returns the column among those of its kind. */
  int column() {
    return BY_KIND.get(kind).indexOf(this);
  }

  /**
   * Returns the stored form of a value.
   *
   * @param value in {@link #unit}, or null if there is none
   */
  public int stored(Double value) {
    if (value == null || value.isNaN()) {
      return ABSENT;
    }
    double steps = Math.rint(value / scale);
    return (int) Math.max(-MOST, Math.min(MOST, steps));
  }

  /** Returns a stored value in {@link #unit}; NaN if there is none. */
  public double value(int stored) {
    return stored == ABSENT ? Double.NaN : stored * scale;
  }
}
