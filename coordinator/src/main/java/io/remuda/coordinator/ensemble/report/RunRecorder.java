package io.remuda.coordinator.ensemble.report;

import io.remuda.coordinator.console.ConsoleWatcher;
import io.remuda.coordinator.drawing.CurveSeries;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps what a run shows for its report, in bounded memory: the newest lines, and a curve for each
 * reading of {@value #MOST_CURVES} at most. Thread-safe.
 */
public final class RunRecorder implements ConsoleWatcher {

  private static final int MOST_LINES = 300;
  private static final int MOST_CURVES = 2000;
  private static final double PERCENT = 100;
  private static final double MILLIS = 1000;

  private final long startedAt;
  private final double period;
  private final Deque<String> lines = new ArrayDeque<>();
  private final List<String> results = new ArrayList<>();

  /** Curves by node, and then by panel and label. */
  private final Map<String, Map<String, SampleCurve>> curves = new TreeMap<>();

  /** Names of GPUs by UUID. */
  private final Map<String, String> gpus = new LinkedHashMap<>();

  private int left = MOST_CURVES;

  /**
   * @param startedAt time in seconds since 1970
   * @param period seconds between samples
   */
  public RunRecorder(long startedAt, double period) {
    this.startedAt = startedAt;
    this.period = period;
  }

  @Override
  public synchronized void sampled(NodeSample sample) {
    long second = sample.atEpochMillis() / 1000;
    HostSample host = sample.host();
    add(sample.node(), "CPU", "ratio", "CPU", second, host.cpuBusyRatio());
    double used = (double) host.memTotal() - host.memAvailable();
    add(sample.node(), "memory", "bytes", "memory", second, used);
    for (DeviceSample device : sample.devices()) {
      String gpu = sample.node() + ":" + device.number();
      gpus.put(device.id().uuid(), gpu);
      add(sample.node(), "GPU utilization", "ratio", gpu, second, ratio(device.utilGpu()));
      Double memory = device.memUsed() == null ? null : device.memUsed().doubleValue();
      add(sample.node(), "GPU memory", "bytes", gpu, second, memory);
      Double watts = device.powerMw() == null ? null : device.powerMw() / MILLIS;
      add(sample.node(), "GPU power", "watts", gpu, second, watts);
    }
  }

  private static Double ratio(Integer percent) {
    return percent == null ? null : percent / PERCENT;
  }

  private void add(
      String node, String panel, String unit, String label, long second, Double value) {
    Map<String, SampleCurve> own = curves.computeIfAbsent(node, name -> new LinkedHashMap<>());
    String key = panel + "\t" + unit + "\t" + label;
    if (own.containsKey(key) || left-- > 0) {
      own.computeIfAbsent(key, name -> new SampleCurve(startedAt)).add(second, value);
    }
  }

  @Override
  public synchronized void said(String line) {
    lines.add(line);
    if (lines.size() > MOST_LINES) {
      lines.remove();
    }
  }

  @Override
  public synchronized void result(String line) {
    results.add(line);
  }

  long startedAt() {
    return startedAt;
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  synchronized List<String> results() {
    return List.copyOf(results);
  }

  synchronized List<String> nodes() {
    return List.copyOf(curves.keySet());
  }

  synchronized Map<String, String> gpus() {
    return new LinkedHashMap<>(gpus);
  }

  /** A curve with where it is drawn. */
  record Curve(String panel, String unit, CurveSeries series) {}

  /** Returns the curves of a node. */
  synchronized List<Curve> curves(String node) {
    List<Curve> all = new ArrayList<>();
    curves
        .getOrDefault(node, Map.of())
        .forEach(
            (key, curve) -> {
              String[] parts = key.split("\t", 3);
              all.add(
                  new Curve(parts[0], parts[1], curve.series(parts[2], (long) Math.ceil(period))));
            });
    return all;
  }

  /** Returns the energy of all GPUs in joules; 0 if no power is known. */
  synchronized double joules() {
    return curves.values().stream()
        .flatMap(own -> own.entrySet().stream())
        .filter(one -> one.getKey().startsWith("GPU power\t"))
        .mapToDouble(one -> one.getValue().integral(period))
        .sum();
  }
}
