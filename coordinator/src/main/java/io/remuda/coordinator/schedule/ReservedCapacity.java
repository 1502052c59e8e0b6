package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The capacity that a plan keeps for the first jobs that have waited too long: for the first one,
 * and then for the first one of each other user, beside what is kept already. A kept node fills up
 * less, so there is one reservation for every {@value #NODES_OF_EACH} nodes, at least one, and
 * {@value #MOST} at most: more of them hardly change when anybody starts, and each is paid for by
 * all who wait. What was {@linkplain ToldStarts told} is kept beside that.
 */
final class ReservedCapacity {

  private static final int NODES_OF_EACH = 4;
  private static final int MOST = 8;

  private final RemainingClusterCapacity rooms;
  private final long now;
  private final List<Reservation> all = new ArrayList<>();
  private final Set<String> users = new HashSet<>();
  private final ToldStarts told;
  private EmptyCluster empty;

  /** Whose turn it is. */
  private Turn turn;

  /** After how many milliseconds its task will have ended; 0 if that is not known. */
  private long lasts;

  /**
   * @param latestStarts until when jobs have been told that they start
   * @param now of the snapshot, in nanoseconds of the monotonic clock
   */
  ReservedCapacity(RemainingClusterCapacity rooms, Map<JobId, Long> latestStarts, long now) {
    this.rooms = rooms;
    this.now = now;
    this.told = new ToldStarts(rooms, latestStarts, now);
  }

  /**
   * Notes whose turn it is.
   *
   * @param millis after which its task will have ended; 0 if that is not known
   */
  void isTurnOf(Turn next, long millis) {
    turn = next;
    lasts = millis;
    told.isTurnOf(next, millis);
  }

  /** Notes that a task has its place. */
  void isPlaced(TaskId task) {
    told.isPlaced(task);
  }

  /**
   * Keeps capacity for the task whose turn it is and that cannot start now, or for its gang, if it
   * is to have some, and for others of its class that have been told when they start.
   *
   * @param mayStart whether so many tasks of the class may start at once, if there is room
   * @param company beside whom its tasks may be
   */
  void keep(IntPredicate mayStart, Filter company) {
    Optional<Reservation> reserved = reserve(company);
    reserved.ifPresent(told::isReserved);
    told.keepFor(turn, reserved.isPresent(), mayStart, company, most());
  }

  private Optional<Reservation> reserve(Filter company) {
    String user = turn.line().key().user();
    if (all.size() >= most() || users.contains(user)) {
      return Optional.empty();
    }
    empty = empty == null ? new EmptyCluster(rooms) : empty;
    Optional<Reservation> one =
        Reservation.of(
            turn.line(), turn.task().job(), rooms, empty, roomiestFirst(rooms), company, now);
    one.ifPresent(
        kept -> {
          all.add(kept);
          users.add(user);
        });
    return one;
  }

  private int most() {
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
   * Returns why the task whose turn it is must not be placed on a node where it fits, empty if it
   * may.
   */
  Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    return blocking(node, needs, lasts)
        .or(() -> told.blocking(node, needs))
        .map(job -> new WaitReason.HeldForOther(node.name(), job));
  }

  /**
   * Returns the first job that the task whose turn it is delays on the node if it ends by its time
   * limit and not before, empty for none.
   *
   * @param limit in milliseconds, 0 for none
   */
  Optional<JobId> delayed(RemainingNodeCapacity node, ResourceRequest needs, long limit) {
    return blocking(node, needs, limit).or(() -> told.blocking(node, needs, turn, limit));
  }

  private Optional<JobId> blocking(RemainingNodeCapacity node, ResourceRequest other, long millis) {
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
