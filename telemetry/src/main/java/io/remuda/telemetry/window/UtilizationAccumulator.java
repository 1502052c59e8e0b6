package io.remuda.telemetry.window;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Accumulates the samples of any number of nodes for the final summaries. For one thread. */
public final class UtilizationAccumulator {
  private final Map<String, Node> nodes = new LinkedHashMap<>();

  public void add(NodeSample sample) {
    nodes.computeIfAbsent(sample.node(), Node::new).add(sample);
  }

  /** Returns one summary per node, in the order of their first samples. */
  public List<UtilizationSummary> summaries() {
    return nodes.values().stream().map(Node::summary).toList();
  }

  private static final class Node {
    private final String name;
    private final Map<DeviceId, DeviceSummaryAccumulator> devices = new LinkedHashMap<>();
    private Rollup load = Rollup.EMPTY;

    Node(String name) {
      this.name = name;
    }

    void add(NodeSample sample) {
      load = load.plus(sample.host().load1());
      for (DeviceSample device : sample.devices()) {
        devices.computeIfAbsent(device.id(), id -> new DeviceSummaryAccumulator()).add(device);
      }
    }

    UtilizationSummary summary() {
      List<DeviceSummary> summaries =
          devices.values().stream().map(DeviceSummaryAccumulator::summary).toList();
      UtilizationHistogram all =
          devices.values().stream()
              .map(DeviceSummaryAccumulator::utilization)
              .reduce(new UtilizationHistogram(), UtilizationHistogram::merge);
      return new UtilizationSummary(
          name,
          load.count(),
          load.mean(),
          load.max(),
          all.mean(),
          all.max(),
          all.quantile(0.95),
          peak(summaries),
          energy(summaries),
          summaries);
    }

    private static Long peak(List<DeviceSummary> summaries) {
      return summaries.stream()
          .map(DeviceSummary::peakMemoryBytes)
          .filter(Objects::nonNull)
          .reduce(Math::max)
          .orElse(null);
    }

    private static Long energy(List<DeviceSummary> summaries) {
      return summaries.stream()
          .map(DeviceSummary::energyMj)
          .filter(Objects::nonNull)
          .reduce(Long::sum)
          .orElse(null);
    }
  }
}
