package io.remuda.coordinator.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.DeviceMemorySplit;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the series of GPUs. */
final class GpuSeries {

  private static final double PERCENT = 100;
  private static final double MILLI = 1000;
  private static final double MEGA = 1e6;

  /** Bits of NVML that say that a clock is lower than it could be for a fault or a limit. */
  private static final Map<String, Long> THROTTLES = new LinkedHashMap<>();

  static {
    THROTTLES.put("power_cap", 0x4L);
    THROTTLES.put("hw_slowdown", 0x8L);
    THROTTLES.put("sw_thermal", 0x20L);
    THROTTLES.put("hw_thermal", 0x40L);
    THROTTLES.put("power_brake", 0x80L);
  }

  private final ClusterMetrics cluster;
  private final ClusterNodesSnapshot nodes;
  private final SeriesCollector series;
  private final Set<Long> named = new HashSet<>();

  GpuSeries(ClusterMetrics cluster, SeriesCollector series) {
    this.cluster = cluster;
    this.nodes = cluster.activity().nodes();
    this.series = series;
    cluster.running().forEach(job -> named.add(job.job()));
  }

  void collect() {
    for (NodeOffer node : nodes.nodes()) {
      Map<DeviceId, DeviceSample> readings = readings(node, nodes);
      for (DeviceOffer device : node.devices()) {
        gpu(node.node(), device, readings.get(device.id()));
      }
    }
  }

  /** Returns the newest readings of a node's GPUs; none if it is silent. */
  static Map<DeviceId, DeviceSample> readings(NodeOffer node, ClusterNodesSnapshot nodes) {
    NodeSample sample = nodes.samples().get(node.node());
    boolean known = sample != null && node.presence() != NodeOffer.Presence.SILENT;
    return known ? sample.byDevice() : Map.of();
  }

  private void gpu(String node, DeviceOffer device, DeviceSample reading) {
    DeviceInfo info = cluster.devices().get(device.id());
    String index = info == null ? "" : info.number();
    Labels labels = Labels.of("node", node, "gpu", device.id().uuid(), "index", index);
    if (info != null) {
      series.add(RemudaMetric.GPU_INFO, 1, withFacts(labels, info));
    }
    List<AttemptId> holders = nodes.holders().getOrDefault(device.id(), List.of());
    DeviceMemorySplit split =
        DeviceMemorySplit.of(device.totalMemory(), holders, nodes.promised(), reading);
    series.add(RemudaMetric.GPU_ALLOCATED, !holders.isEmpty(), labels);
    series.add(RemudaMetric.GPU_MEMORY_LENT, split.lent(), labels);
    if (reading != null) {
      read(reading, labels);
      series.add(RemudaMetric.GPU_UNATTRIBUTED, split.others(), labels);
      jobs(split, labels);
    }
  }

  private static Labels withFacts(Labels labels, DeviceInfo info) {
    Labels all =
        labels.merge(Labels.of("name", info.name(), "vendor", MetricsPage.label(info.vendor())));
    all = info.driver() == null ? all : all.add("driver", info.driver());
    return info.pciBusId() == null ? all : all.add("pci_bus", info.pciBusId());
  }

  private void read(DeviceSample reading, Labels labels) {
    add(RemudaMetric.GPU_UTILIZATION, reading.utilGpu(), PERCENT, labels, "engine", "sm");
    add(RemudaMetric.GPU_UTILIZATION, reading.utilMem(), PERCENT, labels, "engine", "mem");
    series.add(RemudaMetric.GPU_MEMORY_TOTAL, reading.memTotal(), labels);
    series.add(RemudaMetric.GPU_MEMORY_USED, reading.memUsed(), labels);
    series.add(RemudaMetric.GPU_MEMORY_RESERVED, reading.memReserved(), labels);
    add(RemudaMetric.GPU_TEMPERATURE, reading.tempC(), 1, labels, "sensor", "core");
    series.add(RemudaMetric.GPU_POWER, reading.powerMw(), MILLI, labels);
    series.add(RemudaMetric.GPU_POWER_LIMIT, reading.powerLimitMw(), MILLI, labels);
    series.add(RemudaMetric.GPU_ENERGY, reading.energyMj(), MILLI, labels);
    add(RemudaMetric.GPU_CLOCK, hertz(reading.clockSmMhz()), 1, labels, "domain", "sm");
    add(RemudaMetric.GPU_CLOCK, hertz(reading.clockMemMhz()), 1, labels, "domain", "mem");
    series.add(RemudaMetric.GPU_FAN, reading.fanPct(), PERCENT, labels);
    add(RemudaMetric.GPU_ECC, reading.eccUncorrected(), 1, labels, "type", "uncorrected");
    add(RemudaMetric.GPU_HEALTH, 1, 1, labels, "state", MetricsPage.label(reading.health()));
    series.add(
        RemudaMetric.GPU_PROCESSES,
        reading.processes() == null ? null : Integer.valueOf(reading.processes().size()),
        labels);
    if (reading.throttleReasons() != null) {
      THROTTLES.forEach(
          (reason, bit) ->
              add(
                  RemudaMetric.GPU_THROTTLE,
                  (reading.throttleReasons() & bit) == 0 ? 0 : 1,
                  1,
                  labels,
                  "reason",
                  reason));
    }
  }

  private static Double hertz(Integer mega) {
    return mega == null ? null : Double.valueOf(mega * MEGA);
  }

  private void add(
      RemudaMetric metric, Number value, double of, Labels labels, String label, String named) {
    if (value != null) {
      series.add(metric, value, of, labels.add(label, named));
    }
  }

  private void jobs(DeviceMemorySplit split, Labels labels) {
    Map<Long, Long> used = new LinkedHashMap<>();
    for (DeviceMemorySplit.TenantMemory part : split.parts()) {
      long job = part.attempt().task().job().value();
      if (part.used() != null && named.contains(job)) {
        used.merge(job, part.used(), Long::sum);
      }
    }
    used.forEach(
        (job, bytes) ->
            series.add(RemudaMetric.GPU_JOB_MEMORY, bytes, labels.add("job", Long.toString(job))));
  }
}
