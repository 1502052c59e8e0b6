package io.remuda.coordinator.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.CpuSeconds;
import io.remuda.telemetry.model.FileSystemReading;
import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.model.TemperatureReading;
import io.remuda.telemetry.model.TransferReading;
import java.util.List;

/** Collects the series of nodes. */
final class NodeSeries {

  private static final double MILLIS = 1000;

  private final ClusterNodesSnapshot nodes;
  private final SeriesCollector series;

  NodeSeries(ClusterNodesSnapshot nodes, SeriesCollector series) {
    this.nodes = nodes;
    this.series = series;
  }

  void collect() {
    nodes.nodes().forEach(this::node);
  }

  private void node(NodeOffer node) {
    Labels labels = Labels.of("node", node.node());
    boolean silent = node.presence() == NodeOffer.Presence.SILENT;
    series.add(RemudaMetric.NODE_UP, !silent, labels);
    series.add(RemudaMetric.NODE_READY, node.presence() == NodeOffer.Presence.READY, labels);
    series.add(RemudaMetric.NODE_TASKS, nodes.running().getOrDefault(node.node(), 0), labels);
    NodeSample sample = nodes.samples().get(node.node());
    if (sample == null) {
      return;
    }
    series.add(RemudaMetric.TELEMETRY_TIME, sample.atEpochMillis(), MILLIS, labels);
    if (silent) {
      return; // what was is not what is
    }
    HostSample host = sample.host();
    series.add(RemudaMetric.NODE_CPUS, host.cpus(), labels);
    series.add(RemudaMetric.NODE_CPU_BUSY, host.cpuBusyRatio(), labels);
    series.add(RemudaMetric.NODE_LOAD, host.load1(), labels);
    series.add(RemudaMetric.NODE_MEMORY_TOTAL, host.memTotal(), labels);
    series.add(RemudaMetric.NODE_MEMORY_AVAILABLE, host.memAvailable(), labels);
    series.add(RemudaMetric.NODE_SWAP_USED, host.swapUsed(), labels);
    details(host.details(), labels);
  }

  private void details(HostDetails details, Labels labels) {
    if (details.cpu() != null) {
      cpu(details.cpu(), labels);
    }
    for (TransferReading disk : known(details.disks())) {
      Labels device = labels.add("device", disk.name());
      series.add(RemudaMetric.NODE_DISK_READ, disk.inBytes(), device);
      series.add(RemudaMetric.NODE_DISK_WRITTEN, disk.outBytes(), device);
    }
    for (TransferReading network : known(details.networks())) {
      Labels device = labels.add("device", network.name());
      series.add(RemudaMetric.NODE_NETWORK_RECEIVE, network.inBytes(), device);
      series.add(RemudaMetric.NODE_NETWORK_TRANSMIT, network.outBytes(), device);
    }
    for (TemperatureReading temperature : known(details.temperatures())) {
      series.add(
          RemudaMetric.NODE_TEMPERATURE,
          temperature.celsius(),
          labels.add("sensor", temperature.sensor()));
    }
    for (FileSystemReading files : known(details.fileSystems())) {
      Labels place = labels.add("mountpoint", files.mount()).add("fstype", files.type());
      series.add(RemudaMetric.NODE_FILESYSTEM_SIZE, files.size(), place);
      series.add(RemudaMetric.NODE_FILESYSTEM_FREE, files.size() - files.used(), place);
      series.add(RemudaMetric.NODE_FILESYSTEM_AVAILABLE, files.free(), place);
    }
  }

  private static <T> List<T> known(List<T> parts) {
    return parts == null ? List.of() : parts;
  }

  private void cpu(CpuSeconds cpu, Labels labels) {
    mode("user", cpu.user(), labels);
    mode("nice", cpu.nice(), labels);
    mode("system", cpu.system(), labels);
    mode("idle", cpu.idle(), labels);
    mode("iowait", cpu.iowait(), labels);
    mode("irq", cpu.irq(), labels);
    mode("softirq", cpu.softirq(), labels);
    mode("steal", cpu.steal(), labels);
  }

  private void mode(String mode, double seconds, Labels labels) {
    series.add(RemudaMetric.NODE_CPU_SECONDS, seconds, labels.add("mode", mode));
  }
}
