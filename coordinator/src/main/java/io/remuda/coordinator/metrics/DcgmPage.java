package io.remuda.coordinator.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceVendor;
import java.util.HashSet;
import java.util.Set;

/** Makes the readings of GPUs by the names and labels of NVIDIA's DCGM exporter. */
public final class DcgmPage {

  private static final double MIB = 1 << 20;
  private static final double MILLI = 1000;

  private DcgmPage() {}

  /**
   * Returns the metrics in a format, compressed by gzip.
   *
   * @param hostname name of the label that has the host name of the machine
   */
  public static byte[] of(ClusterMetrics cluster, String hostname, MetricsFormat format) {
    return format.compressed(collect(cluster, hostname).snapshots());
  }

  /** Collects all series. A GPU that several nodes see is there once. */
  static SeriesCollector collect(ClusterMetrics cluster, String hostname) {
    SeriesCollector series = new SeriesCollector();
    Set<DeviceId> seen = new HashSet<>();
    for (NodeOffer node : cluster.activity().nodes().nodes()) {
      String host = cluster.hosts().getOrDefault(node.node(), node.node());
      GpuSeries.readings(node, cluster.activity().nodes())
          .values()
          .forEach(
              reading -> {
                DeviceInfo info = cluster.devices().get(reading.id());
                if (info != null && info.vendor() != DeviceVendor.AMD && seen.add(info.id())) {
                  add(series, reading, labels(info, host, hostname));
                }
              });
    }
    return series;
  }

  private static Labels labels(DeviceInfo info, String host, String hostname) {
    Labels labels =
        Labels.of(
            "gpu",
            Integer.toString(info.index()),
            "UUID",
            info.id().uuid(),
            "device",
            "nvidia" + info.index(),
            "modelName",
            info.name(),
            hostname,
            host);
    return info.pciBusId() == null ? labels : labels.add("pci_bus_id", info.pciBusId());
  }

  private static void add(SeriesCollector series, DeviceSample reading, Labels labels) {
    series.add(DcgmMetric.SM_CLOCK, reading.clockSmMhz(), labels);
    series.add(DcgmMetric.MEM_CLOCK, reading.clockMemMhz(), labels);
    series.add(DcgmMetric.GPU_TEMP, reading.tempC(), labels);
    series.add(DcgmMetric.POWER_USAGE, reading.powerMw(), MILLI, labels);
    series.add(DcgmMetric.TOTAL_ENERGY_CONSUMPTION, reading.energyMj(), labels);
    series.add(DcgmMetric.GPU_UTIL, reading.utilGpu(), labels);
    series.add(DcgmMetric.MEM_COPY_UTIL, reading.utilMem(), labels);
    series.add(DcgmMetric.FB_FREE, reading.memFree(), MIB, labels);
    series.add(DcgmMetric.FB_USED, reading.memUsed(), MIB, labels);
    series.add(DcgmMetric.FB_RESERVED, reading.memReserved(), MIB, labels);
    series.add(DcgmMetric.FB_TOTAL, reading.memTotal(), MIB, labels);
    series.add(DcgmMetric.FAN_SPEED, reading.fanPct(), labels);
    series.add(DcgmMetric.POWER_MGMT_LIMIT, reading.powerLimitMw(), MILLI, labels);
    series.add(DcgmMetric.CLOCK_THROTTLE_REASONS, reading.throttleReasons(), labels);
    series.add(DcgmMetric.ECC_DBE_VOL_TOTAL, reading.eccUncorrected(), labels);
  }
}
