package io.remuda.coordinator.schedule.mix;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The room of a cluster for the shapes of a mix: what is known of each state of a node, and how
 * much room all nodes have together. It grows while plans are made with the same mix, and what it
 * answers does not depend on what was asked before. Single-threaded.
 *
 * <p>The weight of a shape is {@code share × free GPUs / (room in the cluster + 1)}: what is scarce
 * counts. Cores beyond what tasks usually need per GPU are of no use to GPUs; see {@link
 * #stretch()}.
 */
public final class RoomTable {

  /** Weight of the GPUs that a shape can reach, beside the tasks that fit at once. */
  static final double REACH = 3;

  /** Weight of the gaps on GPUs, per GPU. */
  private static final double GAP_WEIGHT = 100;

  /** Part of the usual cores per GPU with which a gap can be filled. */
  private static final double GAP_CORES = 0.5;

  /** How far the reach may go beyond the cores of the node, if the cluster has as many as asked. */
  private static final double STRETCH = 1.5;

  private static final int MOST_STATES = 20_000;
  private static final int MOST_REQUESTS = 4096;

  /** What the shapes take of the devices of a kind of nodes. */
  static final class KindFit {
    /**
     * By shape and kind of device, the bytes of a part; null or -1 for devices that do not suit.
     */
    final long[][] parts;

    /** By shape and kind of device, the part of a device from 0 to 1. */
    final double[][] sizes;

    /** By kind of device and free thousandths, the part of a GPU that is expected to be filled. */
    final double[][] gaps;

    private final List<long[]> requests = new ArrayList<>();

    KindFit(NodeKind kind, TaskMix mix, Map<Map<Integer, Double>, double[]> known) {
      int shapes = mix.parts().size();
      parts = new long[shapes][];
      sizes = new double[shapes][];
      for (int i = 0; i < shapes; i++) {
        TaskShape shape = mix.parts().get(i).shape();
        parts[i] = partsOf(kind, shape);
        sizes[i] = sizes(kind, shape, parts[i]);
      }
      gaps = new double[kind.devices().size()][];
      for (int device = 0; device < gaps.length; device++) {
        gaps[device] =
            known.computeIfAbsent(GapValues.sizes(kind.devices().get(device), mix), GapValues::of);
      }
    }

    static long[] partsOf(NodeKind kind, TaskShape shape) {
      if (shape.gpus() == 0 || !kind.hasLabelsOf(shape)) {
        return null;
      }
      return kind.devices().stream()
          .mapToLong(device -> device.suits(shape) ? device.part(shape) : -1)
          .toArray();
    }

    private static double[] sizes(NodeKind kind, TaskShape shape, long[] parts) {
      if (parts == null) {
        return null;
      }
      double[] sizes = new double[parts.length];
      for (int i = 0; i < sizes.length; i++) {
        long total = kind.devices().get(i).memory();
        sizes[i] = shape.share().isShared() && total > 0 ? (double) parts[i] / total : 1;
      }
      return sizes;
    }
  }

  private final TaskMix mix;
  private final LossMeasure measure;
  private final TaskShape[] shapes;
  private final double[] shares;
  private final Map<NodeKind, NodeKind> kinds = new HashMap<>();
  private final Map<NodeKind, KindFit> fits = new IdentityHashMap<>();
  private final Map<Map<Integer, Double>, double[]> gaps = new HashMap<>();
  private final Map<NodeState, StateRoom> states = new HashMap<>();
  private final Map<TaskShape, Integer> requests = new HashMap<>();
  private final List<TaskShape> byNumber = new ArrayList<>();
  private final ClusterRoom cluster;
  private double[] weights = {};
  private CoreDemand cores = new CoreDemand(1, 0);
  private long stamp;
  private ResourceRequest lastAsked;
  private int lastNumber;

  /**
   * @param measure what a placement is judged by
   */
  public RoomTable(TaskMix mix, LossMeasure measure) {
    this.mix = mix;
    this.measure = measure;
    this.shapes = mix.parts().stream().map(TaskMix.Part::shape).toArray(TaskShape[]::new);
    this.shares = mix.parts().stream().mapToDouble(TaskMix.Part::share).toArray();
    this.cluster = new ClusterRoom(shapes.length);
  }

  public TaskMix mix() {
    return mix;
  }

  /** Returns whether it has grown so large that a new one should take its place. */
  public boolean isFull() {
    return states.size() > MOST_STATES || byNumber.size() > MOST_REQUESTS;
  }

  /** Looks at all nodes again: how much room there is for each shape. */
  public void look(Iterable<RemainingNodeCapacity> nodes) {
    CoreDemand now = CoreDemand.of(mix, nodes);
    if (!now.equals(cores)) {
      cores = now;
      states.clear();
      cluster.forget();
    }
    cluster.look(nodes, this);
    weights = new double[shapes.length];
    for (int shape = 0; shape < weights.length; shape++) {
      weights[shape] = shares[shape] * cluster.freeGpus() / (cluster.count(shape) + 1.0);
    }
    stamp++;
  }

  /** Returns what placing a task on the node costs, in GPUs; infinite if it has no room. */
  public double cost(RemainingNodeCapacity node, ResourceRequest needs) {
    return roomOf(node).cost(number(needs));
  }

  /** Returns the device that the task should take there; empty if any of those that fit will do. */
  public Optional<DeviceId> device(RemainingNodeCapacity node, ResourceRequest needs) {
    StateRoom room = roomOf(node);
    return room.device(number(needs))
        .flatMap(device -> node.deviceWith(device.model(), device.memory(), device.free()));
  }

  private StateRoom roomOf(RemainingNodeCapacity node) {
    return cluster.known(node).orElseGet(() -> room(NodeState.of(node, kindOf(node))));
  }

  NodeKind kindOf(RemainingNodeCapacity node) {
    return kinds.computeIfAbsent(NodeKind.of(node.offer()), kind -> kind);
  }

  StateRoom room(NodeState state) {
    StateRoom known = states.get(state);
    if (known == null) {
      known = new StateRoom(state, this);
      states.put(state, known);
    }
    return known;
  }

  private int number(ResourceRequest needs) {
    if (needs != lastAsked) {
      lastAsked = needs;
      lastNumber =
          requests.computeIfAbsent(
              TaskShape.of(needs),
              shape -> {
                byNumber.add(shape);
                return byNumber.size() - 1;
              });
    }
    return lastNumber;
  }

  TaskShape request(int number) {
    return byNumber.get(number);
  }

  long[] requestParts(NodeKind kind, int number) {
    List<long[]> known = fit(kind).requests;
    while (known.size() <= number) {
      known.add(KindFit.partsOf(kind, byNumber.get(known.size())));
    }
    return known.get(number);
  }

  KindFit fit(NodeKind kind) {
    return fits.computeIfAbsent(kind, one -> new KindFit(one, mix, gaps));
  }

  int shapes() {
    return shapes.length;
  }

  TaskShape shape(int number) {
    return shapes[number];
  }

  double share(int shape) {
    return shares[shape];
  }

  double[] weights() {
    return weights;
  }

  LossMeasure measure() {
    return measure;
  }

  long stamp() {
    return stamp;
  }

  long stampOf(int request) {
    return stamp * MOST_REQUESTS * 2 + request;
  }

  double gapWeight() {
    return GAP_WEIGHT;
  }

  double gapValue(NodeKind kind, int device, int thousandths) {
    return fit(kind).gaps[device][thousandths];
  }

  /**
   * Returns how far the reach of a shape may go beyond the cores and memory that the node has for
   * it: {@value #STRETCH} times the square of the cluster's slack.
   */
  double stretch() {
    return STRETCH * cores.slack() * cores.slack();
  }

  /**
   * Returns the part of a node's gaps for which it has cores, from 0 to 1: {@value #GAP_CORES} of
   * what tasks usually have beside a GPU is enough.
   */
  double coveredGaps(NodeState state, double freeGpus) {
    double needed = GAP_CORES * cores.milliPerGpu() * freeGpus;
    return needed <= 0 ? 1 : Math.max(0, Math.min(1, state.milliCpus / needed));
  }
}
