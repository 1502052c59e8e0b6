package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.history.HistoryCurve;
import io.remuda.coordinator.history.HistoryMetric;
import io.remuda.coordinator.history.HistoryStore;
import io.remuda.coordinator.history.HistoryTier;
import io.remuda.coordinator.history.SeriesKey;
import io.remuda.coordinator.history.SeriesKind;
import io.remuda.coordinator.rest.answer.TimelineAnswer;
import io.remuda.coordinator.rest.answer.WasteAnswer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.NodeSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The energy of GPUs, by whom they were lent to, and which of these do not use them. */
final class GpuEnergy {

  static final GpuEnergy NONE = new GpuEnergy();

  /** Points that are read for one answer, half a second's work. */
  private static final long MOST_POINTS = 1_500_000;

  /** GPUs whose curves are in memory at once. */
  private static final int GPUS_AT_ONCE = 8;

  private static final int IDLE_SECONDS = 300;
  private static final int MINUTE = 60;
  private static final double JOULES_OF_KWH = 3_600_000;
  private static final double THOUSANDTHS = 1000;

  /**
   * An attempt that has a GPU which is not used.
   *
   * @param since when it has not been used, in seconds since 1970
   */
  record Idle(TimelineAnswer.Span span, long since) {}

  private record Sum(String by, String name) {}

  private final Map<Sum, Double> joules = new HashMap<>();
  private final List<Idle> idle = new ArrayList<>();

  private GpuEnergy() {}

  private static Set<String> gpus(ClusterNodesSnapshot nodes) {
    Set<String> gpus = new TreeSet<>();
    nodes.nodes().forEach(node -> node.devices().forEach(one -> gpus.add(one.id().uuid())));
    return gpus;
  }

  /** Returns from when on the energy of these GPUs can be read in a moment. */
  static long from(HistoryStore history, ClusterNodesSnapshot nodes, long from, long to) {
    long minutes = MOST_POINTS / Math.max(1, gpus(nodes).size());
    long since = Math.max(from, to - minutes * MINUTE);
    return Math.min(to - 1, Math.max(since, Math.min(to - 1, history.since(HistoryTier.MINUTE))));
  }

  /**
   * Reads the energy of a time line, and if that reaches to the present who does not use a GPU.
   *
   * @param now in seconds since 1970
   */
  static GpuEnergy of(
      HistoryStore history, TimelineAnswer timeline, ClusterNodesSnapshot nodes, long now)
      throws IOException {
    GpuEnergy energy = new GpuEnergy();
    Map<String, List<TimelineAnswer.Span>> spans = new HashMap<>();
    timeline
        .spans()
        .forEach(span -> spans.computeIfAbsent(span.uuid(), none -> new ArrayList<>()).add(span));
    Map<String, String> places = new HashMap<>();
    nodes
        .nodes()
        .forEach(node -> node.devices().forEach(one -> places.put(one.id().uuid(), node.node())));
    List<SeriesKey> keys =
        gpus(nodes).stream().map(uuid -> new SeriesKey(SeriesKind.GPU, uuid)).toList();
    for (int begin = 0; begin < keys.size(); begin += GPUS_AT_ONCE) {
      List<SeriesKey> some = keys.subList(begin, Math.min(keys.size(), begin + GPUS_AT_ONCE));
      for (HistoryCurve curve :
          history.read(
              some,
              Set.of(HistoryMetric.GPU_POWER, HistoryMetric.GPU_UTILIZATION),
              HistoryTier.MINUTE,
              timeline.from(),
              timeline.to(),
              Integer.MAX_VALUE)) {
        String uuid = curve.key().name();
        List<TimelineAnswer.Span> held = spans.getOrDefault(uuid, List.of());
        if (curve.metric() == HistoryMetric.GPU_POWER) {
          energy.add(curve, timeline, held, places.get(uuid));
        } else if (timeline.to() >= now) { // of a time that is over it says nothing of now
          energy.idle(curve, held, now);
        }
      }
    }
    return energy;
  }

  /** Adds the energy of a GPU; a point that reaches beyond what is counted counts in part. */
  private void add(
      HistoryCurve power, TimelineAnswer timeline, List<TimelineAnswer.Span> held, String node) {
    long first = Math.max(timeline.from(), timeline.since());
    List<TimelineAnswer.Span> later =
        held.stream().sorted(Comparator.comparingLong(TimelineAnswer.Span::from)).toList();
    int next = 0;
    List<TimelineAnswer.Span> now = new ArrayList<>(); // those at a point
    for (int point = 0; point < power.mean().length; point++) {
      long begin = Math.max(first, power.start() + (long) point * power.step());
      long end = Math.min(timeline.to(), power.start() + (point + 1L) * power.step());
      long middle = (begin + end) / 2;
      while (next < later.size() && later.get(next).from() <= middle) {
        now.add(later.get(next));
        next++;
      }
      now.removeIf(span -> span.to() != null && span.to() <= middle);
      double watts = power.mean()[point];
      if (!Double.isNaN(watts) && begin < end) {
        double energy = watts * (end - begin);
        add("all", null, energy);
        add("node", node, energy);
        now.forEach(span -> add("user", span.user(), energy / now.size()));
        now.forEach(span -> add("type", span.type(), energy / now.size()));
        if (now.isEmpty()) {
          add("idle", null, energy);
        }
      }
    }
  }

  private void add(String by, String name, double energy) {
    joules.merge(new Sum(by, name), energy, Double::sum);
  }

  /** Notes who has a GPU for some time that has not been used in any second of it. */
  private void idle(HistoryCurve busy, List<TimelineAnswer.Span> held, long now) {
    int point = busy.mean().length - 1;
    if (point >= 0 && Double.isNaN(busy.mean()[point])) {
      point--; // just begun
    }
    long since = Long.MAX_VALUE;
    while (point >= 0 && busy.maximum()[point] == 0) { // not known is not idle
      since = busy.start() + (long) point * busy.step();
      point--;
    }
    for (TimelineAnswer.Span span : held) {
      long begin = Math.max(since, span.from());
      if (span.to() == null && now - begin >= IDLE_SECONDS) {
        idle.add(new Idle(span, begin));
      }
    }
  }

  List<Idle> idle() {
    return idle;
  }

  /**
   * Returns the sums.
   *
   * @param user whose alone; null for those of all
   */
  List<WasteAnswer.Energy> sums(String user) {
    Map<String, WasteAnswer.Energy> sorted = new TreeMap<>();
    joules.forEach(
        (sum, energy) -> {
          boolean own = user == null || sum.by().equals("user") && user.equals(sum.name());
          if (own) {
            sorted.put(
                sum.by() + " " + sum.name(),
                new WasteAnswer.Energy(
                    sum.by(),
                    sum.name(),
                    Math.rint(energy / JOULES_OF_KWH * THOUSANDTHS) / THOUSANDTHS));
          }
        });
    return List.copyOf(sorted.values());
  }

  /** Returns a GPU as {@code NODE:NUMBER}, or by its UUID if its number is not known. */
  static String name(String node, DeviceId id, NodeSample sample) {
    return node
        + ":"
        + (sample == null || !sample.byDevice().containsKey(id)
            ? id.uuid()
            : sample.byDevice().get(id).number());
  }
}
