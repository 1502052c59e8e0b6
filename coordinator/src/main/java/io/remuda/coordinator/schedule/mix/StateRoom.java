package io.remuda.coordinator.schedule.mix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The room that a state of a node has for each shape of a mix. Computed once for all nodes of the
 * state.
 */
public final class StateRoom {

  /**
   * A device as it is now.
   *
   * @param free twice its free bytes, plus 1 if it may be lent whole
   */
  record Device(String model, long memory, long free) {}

  /** A task's device, null if any will do, and the node's state afterwards. */
  record Placing(StateRoom after, Device device) {}

  private static final Placing[] NONE = {};

  final NodeState state;

  /** By shape, how many tasks of it fit, if it were the only one. */
  final int[] counts;

  /** By shape, how many tasks the GPUs that it can use would take if cores did not end. */
  final float[] reach;

  /** Share-weighted GPUs that tasks of the shapes can use; the free GPUs less FGD's fragments. */
  final double usable;

  /** Free GPUs, in thousandths, and what they are expected to be filled by. */
  final int freeThousandths;

  final double gaps;
  private final RoomTable table;
  private Placing[][] placings = {};
  private double value;
  private long valued = -1;

  /** The best placing of a request, as long as the stamp is the current one. */
  private Placing best;

  private double cost;
  private long compared = -1;

  StateRoom(NodeState state, RoomTable table) {
    this.state = state;
    this.table = table;
    int shapes = table.shapes();
    this.counts = new int[shapes];
    this.reach = new float[shapes];
    double[] usableBy = new double[1];
    for (int shape = 0; shape < shapes; shape++) {
      fit(shape, usableBy);
    }
    this.usable = usableBy[0];
    int free = 0;
    double filled = 0;
    for (int device = 0; device < state.devices(); device++) {
      int thousandths = state.thousandths(device);
      free += thousandths;
      filled += table.gapValue(state.kind, state.kindOf(device), thousandths);
    }
    this.freeThousandths = free;
    this.gaps = filled * table.coveredGaps(state, free / 1000.0);
  }

  private void fit(int shape, double[] usableBy) {
    RoomTable.KindFit fit = table.fit(state.kind);
    long[] parts = fit.parts[shape];
    TaskShape needs = table.shape(shape);
    if (parts == null || state.milliCpus < needs.milliCpus() || state.memory < needs.memory()) {
      return;
    }
    boolean shared = needs.share().isShared();
    int takes = 0;
    int devices = 0;
    double usableGpus = 0;
    double size = 0;
    for (int device = 0; device < state.devices(); device++) {
      int kind = state.kindOf(device);
      if (parts[kind] < 0 || !(shared ? takesPart(device, parts[kind]) : state.isWhole(device))) {
        continue;
      }
      devices++;
      takes += shared ? (int) Math.min(1000, state.bytes(device) / Math.max(1, parts[kind])) : 1;
      usableGpus += state.thousandths(device) / 1000.0;
      size = Math.max(size, fit.sizes[shape][kind]);
    }
    if (devices < needs.gpus()) {
      return;
    }
    double limit = Double.MAX_VALUE;
    if (needs.milliCpus() > 0) {
      limit = (double) state.milliCpus / needs.milliCpus();
    }
    if (needs.memory() > 0) {
      limit = Math.min(limit, (double) state.memory / needs.memory());
    }
    int most = needs.gpus() == 1 ? takes : devices / needs.gpus();
    counts[shape] = (int) Math.min(most, limit);
    double wanted = Math.max(1e-3, size * needs.gpus());
    reach[shape] = (float) Math.min(usableGpus / wanted, table.stretch() * limit);
    usableBy[0] += table.share(shape) * usableGpus;
  }

  private boolean takesPart(int device, long part) {
    return state.bytes(device) >= Math.max(1, part);
  }

  /** Returns the value of the state with the current weights of the shapes. */
  double value() {
    if (valued != table.stamp()) {
      double[] weights = table.weights();
      double sum = table.gapWeight() * gaps;
      for (int shape = 0; shape < weights.length; shape++) {
        sum += weights[shape] * (counts[shape] + RoomTable.REACH * reach[shape]);
      }
      value = sum;
      valued = table.stamp();
    }
    return value;
  }

  /** Returns what the best placing of a request costs; infinite if there is none. */
  double cost(int request) {
    compare(request);
    return cost;
  }

  /** Returns the device that the best placing takes. */
  Optional<Device> device(int request) {
    compare(request);
    return best == null ? Optional.empty() : Optional.ofNullable(best.device());
  }

  private void compare(int request) {
    long stamp = table.stampOf(request);
    if (compared == stamp) {
      return;
    }
    compared = stamp;
    cost = Double.POSITIVE_INFINITY;
    best = null;
    for (Placing placing : placings(request)) {
      double one = table.measure().loss(this, placing.after());
      if (one < cost) {
        cost = one;
        best = placing;
      }
    }
  }

  private Placing[] placings(int request) {
    if (request >= placings.length) {
      placings = Arrays.copyOf(placings, request + 8);
    }
    if (placings[request] == null) {
      placings[request] = make(request);
    }
    return placings[request];
  }

  private Placing[] make(int request) {
    TaskShape needs = table.request(request);
    long[] parts = table.requestParts(state.kind, request);
    if (needs.gpus() == 0) {
      return one(needs, new int[0], null);
    }
    if (parts == null) {
      return NONE;
    }
    boolean shared = needs.share().isShared();
    List<Integer> fit = new ArrayList<>();
    for (int device = 0; device < state.devices(); device++) {
      long part = parts[state.kindOf(device)];
      if (part >= 0 && (shared ? takesPart(device, part) : state.isWhole(device))) {
        fit.add(device);
      }
    }
    if (fit.size() < needs.gpus()) {
      return NONE;
    }
    if (needs.gpus() > 1) {
      int[] chosen = fit.subList(0, needs.gpus()).stream().mapToInt(Integer::intValue).toArray();
      return one(needs, chosen, shared ? parts : null);
    }
    List<Placing> all = new ArrayList<>();
    long last = -1;
    for (int device : fit) {
      if (state.code(device) != last) {
        last = state.code(device);
        NodeState after = state.without(needs, new int[] {device}, shared ? parts : null);
        all.add(new Placing(table.room(after), state.device(device)));
      }
    }
    return all.toArray(NONE);
  }

  private Placing[] one(TaskShape needs, int[] chosen, long[] parts) {
    return new Placing[] {new Placing(table.room(state.without(needs, chosen, parts)), null)};
  }
}
