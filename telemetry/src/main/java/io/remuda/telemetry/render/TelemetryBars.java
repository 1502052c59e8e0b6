package io.remuda.telemetry.render;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The newest sample of each node as bars: one for its load and one per GPU, nodes in the order of
 * their first sample. The load is drawn on a scale to 100, as in the reference example. For one
 * thread.
 */
public final class TelemetryBars {

  private static final double GIBIBYTE = 1L << 30;
  private static final double FULL = 100;

  private final Map<String, NodeSample> newest = new LinkedHashMap<>();

  /** Replaces the sample of the node. */
  public void add(NodeSample sample) {
    newest.put(sample.node(), sample);
  }

  /**
   * Returns all bars in at most {@code lines} lines. If they do not fit, each node is folded to one
   * line; if there are still too many, the last line counts the nodes not shown.
   *
   * @param lines at least 1
   */
  public List<LabelledBar> within(int lines) {
    int all = newest.values().stream().mapToInt(node -> 1 + node.devices().size()).sum();
    if (all <= lines) {
      return newest.values().stream().flatMap(node -> unfolded(node).stream()).toList();
    }
    List<LabelledBar> folded = newest.values().stream().map(TelemetryBars::folded).toList();
    if (folded.size() <= lines) {
      return folded;
    }
    List<LabelledBar> shown = new ArrayList<>(folded.subList(0, Math.max(0, lines - 1)));
    shown.add(LabelledBar.words("and " + (folded.size() - shown.size()) + " more nodes"));
    return shown;
  }

  private static List<LabelledBar> unfolded(NodeSample node) {
    List<LabelledBar> bars = new ArrayList<>();
    double load = node.host().load1();
    bars.add(
        new LabelledBar(
            LabelledBar.Kind.CPU,
            node.node() + " cpu load avg.",
            load,
            FULL,
            String.format(Locale.ROOT, "%.2f/100", load),
            ""));
    node.devices().forEach(device -> bars.add(bar(node.node(), device)));
    return bars;
  }

  private static LabelledBar bar(String node, DeviceSample device) {
    Integer util = device.utilGpu();
    return new LabelledBar(
        LabelledBar.Kind.GPU,
        node + " device " + device.number() + " util",
        util == null ? null : util.doubleValue(),
        FULL,
        util == null ? "n/a" : util + "/100",
        words(device));
  }

  private static String words(DeviceSample device) {
    if (device.health() == DeviceHealth.LOST || device.health() == DeviceHealth.STALE) {
      return device.health().name().toLowerCase(Locale.ROOT);
    }
    return device.memUsed() == null || device.memTotal() == null
        ? ""
        : String.format(
            Locale.ROOT,
            "%.1f/%.1f GiB",
            device.memUsed() / GIBIBYTE,
            device.memTotal() / GIBIBYTE);
  }

  /** Returns one bar for a node: the mean of its GPUs, or its load if no GPU has a reading. */
  private static LabelledBar folded(NodeSample node) {
    List<Integer> utils =
        node.devices().stream().map(DeviceSample::utilGpu).filter(Objects::nonNull).toList();
    String load = String.format(Locale.ROOT, "load %.2f", node.host().load1());
    if (utils.isEmpty()) {
      return unfolded(node).get(0);
    }
    double mean = Math.round(utils.stream().mapToInt(Integer::intValue).average().orElseThrow());
    int most = utils.stream().mapToInt(Integer::intValue).max().orElseThrow();
    int silent = node.devices().size() - utils.size();
    return new LabelledBar(
        LabelledBar.Kind.GPU,
        node.node() + " " + node.devices().size() + " devices util",
        mean,
        FULL,
        String.format(Locale.ROOT, "%.0f/100", mean),
        "max " + most + ", " + load + (silent > 0 ? ", " + silent + " without a reading" : ""));
  }
}
