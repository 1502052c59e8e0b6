package io.remuda.coordinator.history;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.DeviceMemorySplit;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Makes rows of the history from what happens on nodes and in the queue, once a second. What is not
 * known is absent, and so is all of a node whose sample is not new any more. Not thread-safe.
 */
final class ActivityRows {

  /** Name of the series of all tasks of the queue. */
  static final String ALL = "all";

  /** What the names of series of a user's tasks, and of a reason's, begin with. */
  static final String USER = "user:";

  static final String REASON = "reason:";

  /** Users and reasons that are kept by name at once; the others count among all only. */
  private static final int MOST_NAMES = 200;

  /** A node's sample that was seen in so many seconds is not new any more. */
  private static final int STALE_SECONDS = 3;

  private static final double MILLIS = 1000;
  private static final double PERCENT = 100;

  private record Seen(long sequence, long at, long second) {}

  private record Use(long cpuMillis, long ranMillis, Double cores) {}

  private final Map<String, Seen> seen = new HashMap<>();
  private Map<AttemptId, Use> uses = new HashMap<>();

  /**
   * Makes the rows of a second.
   *
   * @param second since 1970
   * @param into receives each series with one stored value for each metric of its kind
   */
  void of(ClusterActivity activity, long second, BiConsumer<SeriesKey, int[]> into) {
    ClusterNodesSnapshot nodes = activity.nodes();
    Map<String, GpuShare> byTask = new HashMap<>();
    for (NodeOffer node : nodes.nodes()) {
      NodeSample sample = fresh(nodes.samples().get(node.node()), second);
      node(node, sample, nodes, into);
      Map<DeviceId, DeviceSample> readings = sample == null ? Map.of() : sample.byDevice();
      for (DeviceOffer device : node.devices()) {
        gpu(device, readings.get(device.id()), nodes, byTask, into);
      }
    }
    seen.keySet().retainAll(nodes.samples().keySet());
    tasks(activity.uses(), byTask, into);
    queue(activity.queue(), into);
  }

  private NodeSample fresh(NodeSample sample, long second) {
    if (sample == null) {
      return null;
    }
    Seen last = seen.get(sample.node());
    if (last == null
        || last.sequence() != sample.sequence()
        || last.at() != sample.atEpochMillis()) {
      seen.put(sample.node(), new Seen(sample.sequence(), sample.atEpochMillis(), second));
      return sample;
    }
    return second - last.second() < STALE_SECONDS ? sample : null;
  }

  private static void node(
      NodeOffer node,
      NodeSample sample,
      ClusterNodesSnapshot nodes,
      BiConsumer<SeriesKey, int[]> into) {
    HostSample host = sample == null ? null : sample.host();
    HostDetails details = host == null ? HostDetails.UNKNOWN : host.details();
    into.accept(
        new SeriesKey(SeriesKind.NODE, node.node()),
        new int[] {
          HistoryMetric.NODE_CPU.stored(host == null ? null : host.cpuBusyRatio()),
          HistoryMetric.NODE_MEMORY_USED.stored(
              host == null ? null : Double.valueOf(host.memTotal() - host.memAvailable())),
          HistoryMetric.NODE_LOAD.stored(host == null ? null : Double.valueOf(host.load1())),
          HistoryMetric.NODE_TASKS.stored(
              Double.valueOf(nodes.running().getOrDefault(node.node(), 0))),
          HistoryMetric.NODE_DISK_READ.stored(details.diskRead()),
          HistoryMetric.NODE_DISK_WRITE.stored(details.diskWrite()),
          HistoryMetric.NODE_NETWORK_RECEIVED.stored(details.networkReceived()),
          HistoryMetric.NODE_NETWORK_SENT.stored(details.networkSent()),
          HistoryMetric.NODE_TEMPERATURE.stored(details.hottest())
        });
  }

  private static void gpu(
      DeviceOffer device,
      DeviceSample reading,
      ClusterNodesSnapshot nodes,
      Map<String, GpuShare> byTask,
      BiConsumer<SeriesKey, int[]> into) {
    DeviceMemorySplit split =
        DeviceMemorySplit.of(
            device.totalMemory(),
            nodes.holders().getOrDefault(device.id(), List.of()),
            nodes.promised(),
            reading);
    for (DeviceMemorySplit.TenantMemory part : split.parts()) {
      byTask.computeIfAbsent(part.attempt().numbers(), none -> new GpuShare()).add(part, reading);
    }
    into.accept(
        new SeriesKey(SeriesKind.GPU, device.id().uuid()),
        new int[] {
          HistoryMetric.GPU_UTILIZATION.stored(
              reading == null ? null : ratio(reading.utilGpu(), PERCENT)),
          HistoryMetric.GPU_MEMORY_USED.stored(
              reading == null ? null : ratio(reading.memUsed(), 1)),
          HistoryMetric.GPU_MEMORY_LENT.stored((double) split.lent()),
          HistoryMetric.GPU_POWER.stored(reading == null ? null : ratio(reading.powerMw(), MILLIS)),
          HistoryMetric.GPU_TEMPERATURE.stored(reading == null ? null : ratio(reading.tempC(), 1))
        });
  }

  private static Double ratio(Number value, double of) {
    return value == null ? null : Double.valueOf(value.doubleValue() / of);
  }

  /** What an attempt has of its GPUs. */
  private static final class GpuShare {
    private double memory;
    private boolean memoryKnown = true;
    private final List<Integer> utilizations = new ArrayList<>();

    private void add(DeviceMemorySplit.TenantMemory part, DeviceSample reading) {
      memory += part.used() == null ? 0 : part.used();
      memoryKnown &= part.used() != null; // a part of it would be too little
      if (reading != null && reading.utilGpu() != null) {
        utilizations.add(reading.utilGpu());
      }
    }

    private Double memory() {
      return memoryKnown ? Double.valueOf(memory) : null;
    }

    private Double utilization() {
      return utilizations.isEmpty()
          ? null
          : Double.valueOf(
              utilizations.stream().mapToInt(Integer::intValue).average().orElseThrow() / PERCENT);
    }
  }

  private void tasks(
      Map<AttemptId, TaskUse> now,
      Map<String, GpuShare> byTask,
      BiConsumer<SeriesKey, int[]> into) {
    Map<AttemptId, Use> next = new HashMap<>();
    now.forEach(
        (attempt, use) -> {
          Use rate = rate(uses.get(attempt), use);
          if (rate != null) {
            next.put(attempt, rate);
          }
          GpuShare gpus = byTask.get(attempt.numbers());
          into.accept(
              new SeriesKey(SeriesKind.TASK, attempt.numbers()),
              new int[] {
                HistoryMetric.TASK_CPU.stored(rate == null ? null : rate.cores()),
                HistoryMetric.TASK_MEMORY.stored(ratio(use.rssBytes(), 1)),
                HistoryMetric.TASK_GPU_MEMORY.stored(gpus == null ? null : gpus.memory()),
                HistoryMetric.TASK_GPU_UTILIZATION.stored(gpus == null ? null : gpus.utilization())
              });
        });
    uses = next;
  }

  /** Returns the CPUs in use between the last two reports; null while their number is not known. */
  private static Use rate(Use before, TaskUse now) {
    if (now.cpuMillis() == null || now.ranMillis() == null) {
      return null;
    }
    if (before != null && now.ranMillis() <= before.ranMillis()) {
      return before; // told from time to time
    }
    long since = before == null ? 0 : before.ranMillis();
    long used = before == null ? 0 : before.cpuMillis();
    Double cores =
        now.ranMillis() == since
            ? null
            : Double.valueOf(
                Math.max(0, now.cpuMillis() - used) / (double) (now.ranMillis() - since));
    return new Use(now.cpuMillis(), now.ranMillis(), cores);
  }

  private static void queue(QueueCounts queue, BiConsumer<SeriesKey, int[]> into) {
    into.accept(new SeriesKey(SeriesKind.QUEUE, ALL), new int[] {queue.waiting(), queue.running()});
    queue.byUser().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(MOST_NAMES)
        .forEach(
            user ->
                into.accept(
                    new SeriesKey(SeriesKind.QUEUE, USER + user.getKey()),
                    new int[] {user.getValue().waiting(), user.getValue().running()}));
    queue
        .byReason()
        .forEach(
            (reason, count) ->
                into.accept(
                    new SeriesKey(SeriesKind.QUEUE, REASON + reason),
                    new int[] {count, HistoryMetric.ABSENT}));
  }
}
