package io.remuda.coordinator.schedule.mix;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The room of a cluster for the shapes of a mix: what is known of each state of a node, and how
 * much room all nodes have together. It is kept from plan to plan, and what it answers does not
 * depend on what was asked before. Single-threaded.
 *
 * <p>The weight of a shape is {@code share × free GPUs / (room in the cluster + 1)}: what is scarce
 * counts. For {@link LossMeasure#USABLE} it is the share.
 */
public final class RoomTable {

  /** Weight of the GPUs that a shape can reach, beside the tasks that fit at once. */
  static final double REACH = 3;

  /** Weight of the gaps on GPUs, per GPU. */
  static final double GAP_WEIGHT = 100;

  /** Part of the usual cores per GPU with which a gap can be filled. */
  private static final double GAP_CORES = 0.5;

  /** How far the reach may go beyond the cores of the node, if the cluster has as many as asked. */
  private static final double STRETCH = 1.5;

  private static final int MOST_REQUESTS = 4096;

  /** How far the bound may be exceeded until the nodes are looked at again. */
  private static final int BETWEEN_LOOKS = 4;

  /** What a state takes beside its shapes, in cells. */
  private static final int STATE_CELLS = 32;

  private final LossMeasure measure;
  private final long mostCells;
  private final List<TaskShape> shapes = new ArrayList<>();
  private final List<GpuDemand> demands = new ArrayList<>();
  private int[] demandOf = {};
  private double[] milliCpus = {};
  private double[] memory = {};
  private final Map<GpuDemand, Integer> demandNumbers = new HashMap<>();
  private final Map<NodeKind, NodeKind> kinds = new HashMap<>();
  private final Map<NodeKind, KindFit> fits = new IdentityHashMap<>();
  private final Map<NodeState, StateRoom> states = new HashMap<>();
  private final Map<TaskShape, Integer> requests = new HashMap<>();
  private final List<TaskShape> byNumber = new ArrayList<>();
  private final ClusterRoom cluster = new ClusterRoom();
  private final Map<Map<Integer, Double>, double[]> gaps = new HashMap<>();
  private TaskMix mix = TaskMix.EMPTY;
  private CoreDemand cores = new CoreDemand(1, 0);
  private double[] weights = {};
  private long stamp;
  private long demandStamp;
  private ResourceRequest lastAsked;
  private int lastNumber;

  /**
   * @param measure what a placement is judged by
   * @param mostCells bound of what is kept: one cell, of 8 bytes, for each state and shape
   */
  public RoomTable(LossMeasure measure, long mostCells) {
    this.measure = measure;
    this.mostCells = mostCells;
  }

  public TaskMix mix() {
    return mix;
  }

  /**
   * Takes over another mix.
   *
   * @return false if this cannot be kept for it, and another table has to be made
   */
  public boolean learn(TaskMix other) {
    if (other == mix) {
      return true;
    }
    List<TaskMix.Part> parts = other.parts();
    if (parts.size() < shapes.size()) {
      return false;
    }
    for (int i = 0; i < shapes.size(); i++) {
      if (!shapes.get(i).equals(parts.get(i).shape())) {
        return false;
      }
    }
    mix = other;
    demandStamp++;
    gaps.clear();
    fits.values().forEach(fit -> fit.learn(mix, gaps));
    if (parts.size() > shapes.size()) {
      for (TaskMix.Part part : parts.subList(shapes.size(), parts.size())) {
        shapes.add(part.shape());
      }
      number();
      cluster.forget();
    }
    return true;
  }

  private void number() {
    int from = demandOf.length;
    demandOf = Arrays.copyOf(demandOf, shapes.size());
    milliCpus = Arrays.copyOf(milliCpus, shapes.size());
    memory = Arrays.copyOf(memory, shapes.size());
    for (int i = from; i < demandOf.length; i++) {
      milliCpus[i] = shapes.get(i).milliCpus();
      memory[i] = shapes.get(i).memory();
      demandOf[i] =
          shapes.get(i).gpus() == 0
              ? -1
              : demandNumbers.computeIfAbsent(
                  GpuDemand.of(shapes.get(i)),
                  demand -> {
                    demands.add(demand);
                    return demands.size() - 1;
                  });
    }
  }

  /** Looks at all nodes again: how much room there is for each shape. */
  public void look(Iterable<RemainingNodeCapacity> nodes) {
    cluster.look(nodes, this);
    CoreDemand now = CoreDemand.of(mix, cluster.capacity());
    if (!now.equals(cores)) {
      boolean others = now.slack() != cores.slack();
      cores = now;
      demandStamp++;
      if (others) {
        states.clear();
        cluster.forget();
        cluster.look(nodes, this);
      }
    }
    trim(mostCells);
    weights = new double[shapes.size()];
    for (int shape = 0; shape < weights.length; shape++) {
      double share = mix.parts().get(shape).share();
      weights[shape] =
          measure == LossMeasure.USABLE
              ? share
              : share * cluster.freeGpus() / (cluster.count(shape) + 1.0);
    }
    stamp++;
  }

  /**
   * Drops states if there are by far too many since the nodes were looked at. It changes no answer:
   * states that are asked for again are computed again.
   */
  public void trim() {
    trim(BETWEEN_LOOKS * mostCells);
  }

  /** Drops first states that no task on a current node leads to, then all but the current ones. */
  private void trim(long cells) {
    if (isOver(cells)) {
      keep(cluster.withNext());
    }
    if (isOver(cells) || byNumber.size() > MOST_REQUESTS) {
      forgetRequests();
    }
  }

  private boolean isOver(long cells) {
    return states.size() * (long) (STATE_CELLS + shapes.size()) > cells;
  }

  private void forgetRequests() {
    requests.clear();
    byNumber.clear();
    lastAsked = null;
    stamp++; // the numbers of requests now mean others
    keep(cluster.withoutNext());
    fits.values().forEach(KindFit::forget);
  }

  private void keep(Set<StateRoom> rooms) {
    states.values().retainAll(rooms);
    Set<NodeKind> used = Collections.newSetFromMap(new IdentityHashMap<>());
    rooms.forEach(room -> used.add(room.state.kind));
    kinds.values().retainAll(used);
    fits.keySet().retainAll(used);
  }

  /** Returns what placing a task on the node costs, in GPUs; infinite if it has no room. */
  public double cost(RemainingNodeCapacity node, ResourceRequest needs) {
    return roomOf(node).cost(number(needs));
  }

  /** Returns the device that the task should take there; empty if any of those that fit will do. */
  public Optional<DeviceId> device(RemainingNodeCapacity node, ResourceRequest needs) {
    return roomOf(node)
        .device(number(needs))
        .flatMap(device -> node.deviceWith(device.model(), device.memory(), device.free()));
  }

  private StateRoom roomOf(RemainingNodeCapacity node) {
    StateRoom known = cluster.known(node);
    return known == null ? room(NodeState.of(node, kindOf(node))) : known;
  }

  NodeKind kindOf(RemainingNodeCapacity node) {
    return kinds.computeIfAbsent(NodeKind.of(node.offer()), kind -> kind);
  }

  /** Returns what is known of a state, for all shapes of the mix. */
  StateRoom room(NodeState state) {
    StateRoom known = states.get(state);
    if (known == null) {
      known = new StateRoom(state, this);
      states.put(state, known);
    }
    known.extend();
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

  KindFit fit(NodeKind kind) {
    KindFit fit = fits.get(kind);
    if (fit == null) {
      fit = new KindFit(kind);
      fit.learn(mix, gaps);
      fits.put(kind, fit);
    }
    return fit;
  }

  /** Returns the number of states of which something is known. */
  int states() {
    return states.size();
  }

  int shapes() {
    return demandOf.length;
  }

  /** Returns the thousandths of a core that tasks of a shape need. */
  double milliCpus(int shape) {
    return milliCpus[shape];
  }

  /** Returns the bytes of memory that tasks of a shape need. */
  double memory(int shape) {
    return memory[shape];
  }

  /** Returns the number of the shape's demand for GPUs, -1 if it has none. */
  int demandOf(int shape) {
    return demandOf[shape];
  }

  List<GpuDemand> demands() {
    return demands;
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

  /** Returns a number that changes with the mix, and with what tasks need beside GPUs. */
  long demandStamp() {
    return demandStamp;
  }

  long stampOf(int request) {
    return stamp << Integer.SIZE | request;
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
  double coveredGaps(long milliCpus, double freeGpus) {
    double needed = GAP_CORES * cores.milliPerGpu() * freeGpus;
    return needed <= 0 ? 1 : Math.max(0, Math.min(1, milliCpus / needed));
  }
}
