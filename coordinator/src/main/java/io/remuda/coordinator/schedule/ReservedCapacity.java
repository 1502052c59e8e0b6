package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The capacity that a plan keeps for the first jobs that have waited too long: for the first one,
 * and then for the first one of each other user, beside what is kept already. A kept node fills up
 * less, so there is one reservation for every {@value #NODES_OF_EACH} nodes, at least one, and
 * {@value #MOST} at most: more of them hardly change when anybody starts, and each is paid for by
 * all who wait.
 */
final class ReservedCapacity {

  private static final int NODES_OF_EACH = 4;
  private static final int MOST = 8;

  private final RemainingClusterCapacity rooms;
  private final long now;
  private final List<Reservation> all = new ArrayList<>();
  private final Set<String> users = new HashSet<>();
  private EmptyCluster empty;

  /**
   * @param now of the snapshot, in nanoseconds of the monotonic clock
   */
  ReservedCapacity(RemainingClusterCapacity rooms, long now) {
    this.rooms = rooms;
    this.now = now;
  }

  boolean areNone() {
    return all.isEmpty();
  }

  /**
   * Keeps capacity for a task of a class that cannot start now, or for its gang, if it is its turn
   * to have some.
   */
  Optional<Reservation> keepFor(Turn turn) {
    String user = turn.line().key().user();
    if (all.size() >= most() || users.contains(user)) {
      return Optional.empty();
    }
    empty = empty == null ? new EmptyCluster(rooms) : empty;
    Optional<Reservation> one =
        Reservation.of(turn.line(), turn.task().job(), rooms, empty, roomiestFirst(rooms), now);
    one.ifPresent(
        kept -> {
          all.add(kept);
          users.add(user);
        });
    return one;
  }

  /** Returns the maximum number of reservations. */
  int most() {
    return Math.max(1, Math.min(MOST, rooms.all().size() / NODES_OF_EACH));
  }

  private record LargestNode(String node, int wholeGpus, long freeCpus) {}

  static List<String> roomiestFirst(RemainingClusterCapacity rooms) {
    return rooms.all().stream()
        .map(room -> new LargestNode(room.name(), room.wholeGpus(null), room.freeCpus()))
        .sorted(
            Comparator.comparingInt(LargestNode::wholeGpus)
                .thenComparingLong(LargestNode::freeCpus)
                .reversed())
        .map(LargestNode::node)
        .toList();
  }

  /**
   * Returns why another task that fits must not be placed on the node, empty if it may.
   *
   * @param millis after which it will have ended; 0 if that is not known
   */
  Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest other, long millis) {
    return blocking(node, other, millis).map(job -> new WaitReason.HeldForOther(node.name(), job));
  }

  /** Returns the first job that a task on the node may delay, empty for none. */
  Optional<JobId> blocking(RemainingNodeCapacity node, ResourceRequest other, long millis) {
    for (Reservation one : all) {
      if (!one.allows(node, other, millis)) {
        return Optional.of(one.job());
      }
    }
    return Optional.empty();
  }

  /**
   * Returns why a task waits that does not fit: a reservation if the task would fit on devices that
   * are kept for its job, else {@code lack}.
   */
  WaitReason reason(WaitReason lack, RemainingNodeCapacity node, ResourceRequest other) {
    for (Reservation one : all) {
      if (one.keepsDevices(node, other)) {
        return new WaitReason.HeldForOther(node.name(), one.job());
      }
    }
    return lack;
  }
}
