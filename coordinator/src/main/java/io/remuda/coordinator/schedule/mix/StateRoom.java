package io.remuda.coordinator.schedule.mix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The room that a state of a node has for each shape of a mix. Computed once for all nodes of the
 * state.
 */
final class StateRoom {

  /**
   * A device as it is now.
   *
   * @param free twice its free bytes, plus 1 if it may be lent whole
   */
  record Device(String model, long memory, long free) {}

  /** A task's device, null if any will do, and the node's state afterwards. */
  record Placing(StateRoom after, Device device) {}

  private static final Placing[] NONE = {};
  private static final double THOUSAND = 1000;
  private static final int MOST_ON_DEVICE = 1000;

  final NodeState state;

  /** Free GPUs, in thousandths. */
  final int freeThousandths;

  /** By shape, how many tasks of it fit, if it were the only one. */
  private int[] counts = {};

  /** By shape, what the measure counts for its weight. */
  private float[] features = {};

  private final RoomTable table;
  private final KindFit fit;
  private final int[] thousandths;
  private Placing[][] placings = {};
  private double gaps;
  private long gapsOf = -1;
  private double value;
  private long valued = -1;

  /** The best placing of a request, as long as the stamp is the current one. */
  private Placing best;

  private double cost;
  private long compared = -1;

  StateRoom(NodeState state, RoomTable table) {
    this.state = state;
    this.table = table;
    this.fit = table.fit(state.kind);
    this.thousandths = new int[state.devices()];
    int free = 0;
    for (int device = 0; device < thousandths.length; device++) {
      thousandths[device] = state.thousandths(device);
      free += thousandths[device];
    }
    this.freeThousandths = free;
  }

  int count(int shape) {
    return counts[shape];
  }

  /** What the devices of a state have for a demand, whatever cores and memory there are. */
  private static final class DeviceRoom {
    private int most;
    private double usableGpus;
    private double reach;
  }

  /** Computes what is missing of shapes that are new. */
  void extend() {
    int from = counts.length;
    int to = table.shapes();
    if (from == to) {
      return;
    }
    counts = Arrays.copyOf(counts, to);
    features = Arrays.copyOf(features, to);
    if (freeThousandths == 0 || state.milliCpus < 0) {
      return;
    }
    DeviceRoom[] rooms = new DeviceRoom[table.demands().size()];
    for (int shape = from; shape < to; shape++) {
      int demand = table.demandOf(shape);
      if (demand >= 0) {
        if (rooms[demand] == null) {
          rooms[demand] = roomFor(demand);
        }
        if (rooms[demand].most > 0) {
          fit(shape, rooms[demand]);
        }
      }
    }
  }

  private DeviceRoom roomFor(int number) {
    DeviceRoom room = new DeviceRoom();
    KindFit.Taken taken = fit.of(number, table.demands());
    if (taken == null) {
      return room;
    }
    GpuDemand demand = table.demands().get(number);
    boolean shared = demand.share().isShared();
    int takes = 0;
    int devices = 0;
    double size = 0;
    for (int device = 0; device < thousandths.length; device++) {
      int kind = state.kindOf(device);
      long part = taken.parts()[kind];
      if (takes(device, part, shared)) {
        devices++;
        takes +=
            shared ? (int) Math.min(MOST_ON_DEVICE, state.bytes(device) / Math.max(1, part)) : 1;
        room.usableGpus += thousandths[device] / THOUSAND;
        size = Math.max(size, taken.sizes()[kind]);
      }
    }
    room.most = demand.gpus() == 1 ? takes : devices / demand.gpus();
    room.reach = room.usableGpus / Math.max(1 / THOUSAND, size * demand.gpus());
    return room;
  }

  private boolean takes(int device, long part, boolean shared) {
    return part >= 0 && (shared ? state.bytes(device) >= Math.max(1, part) : state.isWhole(device));
  }

  private void fit(int shape, DeviceRoom room) {
    double cpus = table.milliCpus(shape);
    double memory = table.memory(shape);
    if (state.milliCpus < cpus || state.memory < memory) {
      return;
    }
    double limit = Integer.MAX_VALUE;
    if (cpus > 0) {
      limit = state.milliCpus / cpus;
    }
    if (memory > 0) {
      limit = Math.min(limit, state.memory / memory);
    }
    counts[shape] = (int) Math.min(room.most, limit);
    features[shape] =
        (float)
            (table.measure() == LossMeasure.USABLE
                ? room.usableGpus
                : counts[shape] + RoomTable.REACH * Math.min(room.reach, table.stretch() * limit));
  }

  /** Returns the value of the state with the current weights of the shapes. */
  private double value() {
    if (valued != table.stamp()) {
      extend();
      double[] weights = table.weights();
      double sum = table.measure() == LossMeasure.ROOM ? RoomTable.GAP_WEIGHT * gaps() : 0;
      for (int shape = 0; shape < weights.length; shape++) {
        sum += weights[shape] * features[shape];
      }
      value = sum;
      valued = table.stamp();
    }
    return value;
  }

  private double gaps() {
    if (gapsOf == table.demandStamp()) {
      return gaps;
    }
    gapsOf = table.demandStamp();
    double filled = 0;
    for (int device = 0; device < thousandths.length; device++) {
      if (thousandths[device] > 0) {
        filled += fit.gap(state.kindOf(device), thousandths[device]);
      }
    }
    gaps = filled * table.coveredGaps(state.milliCpus, freeThousandths / THOUSAND);
    return gaps;
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
      double one = value() - placing.after().value();
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
      placings[request] = make(table.request(request));
    }
    return placings[request];
  }

  /** Adds the states that the placings which are known lead to. */
  void addNext(Set<StateRoom> rooms) {
    for (Placing[] of : placings) {
      if (of != null) {
        for (Placing placing : of) {
          rooms.add(placing.after());
        }
      }
    }
  }

  void forgetPlacings() {
    placings = new Placing[0][];
    best = null;
    compared = -1;
  }

  private Placing[] make(TaskShape needs) {
    if (needs.gpus() == 0) {
      return one(needs, new int[0], null);
    }
    KindFit.Taken taken = fit.of(GpuDemand.of(needs));
    if (taken == null) {
      return NONE;
    }
    boolean shared = needs.share().isShared();
    List<Integer> fitting = new ArrayList<>();
    for (int device = 0; device < thousandths.length; device++) {
      if (takes(device, taken.parts()[state.kindOf(device)], shared)) {
        fitting.add(device);
      }
    }
    if (fitting.size() < needs.gpus()) {
      return NONE;
    }
    long[] parts = shared ? taken.parts() : null;
    if (needs.gpus() > 1) {
      List<Integer> chosen = fitting.subList(0, needs.gpus());
      return one(needs, chosen.stream().mapToInt(Integer::intValue).toArray(), parts);
    }
    List<Placing> all = new ArrayList<>();
    long last = -1;
    for (int device : fitting) {
      if (state.code(device) != last) {
        last = state.code(device);
        NodeState after = state.without(needs, new int[] {device}, parts);
        all.add(new Placing(table.room(after), state.device(device)));
      }
    }
    return all.toArray(NONE);
  }

  private Placing[] one(TaskShape needs, int[] chosen, long[] parts) {
    return new Placing[] {new Placing(table.room(state.without(needs, chosen, parts)), null)};
  }
}
