package io.remuda.coordinator.schedule.mix;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** The sum of the room of all nodes. Sums are of whole numbers, so their order does not matter. */
final class ClusterRoom {

  /** What nodes have, also what is taken: thousandths of a core, GPUs, and bytes of these. */
  record Capacity(long milliCpus, long gpus, long gpuMemory) {
    static Capacity of(NodeOffer offer) {
      long memory = 0;
      for (DeviceOffer device : offer.devices()) {
        memory += device.totalMemory();
      }
      return new Capacity(offer.cpus().total(), offer.devices().size(), memory);
    }

    Capacity plus(Capacity other, int sign) {
      return new Capacity(
          milliCpus + sign * other.milliCpus,
          gpus + sign * other.gpus,
          gpuMemory + sign * other.gpuMemory);
    }
  }

  private static final Capacity NOTHING = new Capacity(0, 0, 0);

  /** A node, and the state that it was last seen in. */
  private static final class Known {
    private int version;
    private StateRoom room;
    private Capacity capacity = NOTHING;
    private long round;
  }

  private long[] counts = {};
  private final Map<RemainingNodeCapacity, Known> nodes = new IdentityHashMap<>();
  private long freeThousandths;
  private Capacity capacity = NOTHING;
  private long round;

  /** Forgets all nodes. */
  void forget() {
    nodes.clear();
    counts = new long[0];
    capacity = NOTHING;
    freeThousandths = 0;
  }

  /** Looks at the nodes again, and forgets those that are no longer there. */
  void look(Iterable<RemainingNodeCapacity> current, RoomTable table) {
    round++;
    if (nodes.isEmpty()) {
      counts = new long[table.shapes()];
    }
    int seen = 0;
    for (RemainingNodeCapacity node : current) {
      Known known = nodes.computeIfAbsent(node, any -> new Known());
      known.round = round;
      seen++;
      if (known.room == null || known.version != node.version() || node.isShared()) {
        Capacity now = known.room == null ? Capacity.of(node.offer()) : known.capacity;
        update(known, table.room(NodeState.of(node, table.kindOf(node))), now);
        known.version = node.version();
      }
    }
    if (seen < nodes.size()) {
      nodes
          .values()
          .removeIf(
              known -> {
                if (known.round != round) {
                  update(known, null, NOTHING);
                }
                return known.round != round;
              });
    }
  }

  private void update(Known known, StateRoom now, Capacity has) {
    capacity = capacity.plus(known.capacity, -1).plus(has, 1);
    known.capacity = has;
    if (known.room != null) {
      add(known.room, -1);
    }
    known.room = now;
    if (now != null) {
      add(now, 1);
    }
  }

  private void add(StateRoom room, int sign) {
    for (int shape = 0; shape < counts.length; shape++) {
      counts[shape] += sign * (long) room.count(shape);
    }
    freeThousandths += sign * (long) room.freeThousandths;
  }

  /** Returns the states of the nodes and those that one task leads to, and cuts them off there. */
  Set<StateRoom> withNext() {
    Set<StateRoom> current = current();
    Set<StateRoom> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(current);
    current.forEach(room -> room.addNext(all));
    for (StateRoom room : all) {
      if (!current.contains(room)) {
        room.forgetPlacings();
      }
    }
    return all;
  }

  /** Returns the states of the nodes, and cuts off what follows. */
  Set<StateRoom> withoutNext() {
    Set<StateRoom> current = current();
    current.forEach(StateRoom::forgetPlacings);
    return current;
  }

  private Set<StateRoom> current() {
    Set<StateRoom> rooms = Collections.newSetFromMap(new IdentityHashMap<>());
    nodes.values().forEach(known -> rooms.add(known.room));
    return rooms;
  }

  /** Returns the room of a node that has not changed since it was last looked at, or null. */
  StateRoom known(RemainingNodeCapacity node) {
    Known known = nodes.get(node);
    boolean current = known != null && known.version == node.version() && !node.isShared();
    return current ? known.room : null;
  }

  /** Returns how many tasks of a shape fit, if there were no others. */
  long count(int shape) {
    return counts[shape];
  }

  Capacity capacity() {
    return capacity;
  }

  double freeGpus() {
    return freeThousandths / 1000.0;
  }
}
