package io.remuda.coordinator.schedule.mix;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/** The sum of the room of all nodes. Sums are of whole numbers, so their order does not matter. */
final class ClusterRoom {

  /** A node, and the state that it was last seen in. */
  private static final class Known {
    private int version;
    private StateRoom room;
    private long round;
  }

  private final long[] counts;
  private final Map<RemainingNodeCapacity, Known> nodes = new IdentityHashMap<>();
  private long freeThousandths;
  private long round;

  ClusterRoom(int shapes) {
    this.counts = new long[shapes];
  }

  /** Forgets all nodes. */
  void forget() {
    nodes.clear();
    Arrays.fill(counts, 0);
    freeThousandths = 0;
  }

  /** Looks at the nodes again, and forgets those that are no longer there. */
  void look(Iterable<RemainingNodeCapacity> current, RoomTable table) {
    round++;
    int seen = 0;
    for (RemainingNodeCapacity node : current) {
      Known known = nodes.computeIfAbsent(node, any -> new Known());
      known.round = round;
      seen++;
      if (known.room == null || known.version != node.version() || node.isShared()) {
        update(known, table.room(NodeState.of(node, table.kindOf(node))));
        known.version = node.version();
      }
    }
    if (seen < nodes.size()) {
      nodes
          .values()
          .removeIf(
              known -> {
                if (known.round != round) {
                  update(known, null);
                }
                return known.round != round;
              });
    }
  }

  private void update(Known known, StateRoom now) {
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
      counts[shape] += sign * (long) room.counts[shape];
    }
    freeThousandths += sign * (long) room.freeThousandths;
  }

  /** Returns the room of a node that has not changed since it was last looked at. */
  Optional<StateRoom> known(RemainingNodeCapacity node) {
    Known known = nodes.get(node);
    boolean current = known != null && known.version == node.version() && !node.isShared();
    return current ? Optional.of(known.room) : Optional.empty();
  }

  /** Returns how many tasks of a shape fit, if there were no others. */
  long count(int shape) {
    return counts[shape];
  }

  double freeGpus() {
    return freeThousandths / 1000.0;
  }
}
