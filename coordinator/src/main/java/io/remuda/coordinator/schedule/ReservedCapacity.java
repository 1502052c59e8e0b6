package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
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

/**
 * The capacity that a plan keeps for the first jobs that have waited too long: for the first one,
 * and then for the first one of each other user, beside what is kept already. A kept node fills up
 * less, so there is one reservation for every {@value #NODES_OF_EACH} nodes, at least one, and
 * {@value #MOST} at most: more of them hardly change when anybody starts, and each is paid for by
 * all who wait.
 *
 * <p>As many others, in the order of their turns, have one because they have been told until when
 * they start. It keeps less: a task passes there also if it has ended by then.
 */
final class ReservedCapacity {

  private static final int NODES_OF_EACH = 4;
  private static final int MOST = 8;

  /** Maximum number of jobs of a line that are looked at for what they have been told. */
  private static final int MOST_LOOKED = 64;

  private final RemainingClusterCapacity rooms;
  private final Map<JobId, Long> latestStarts;
  private final long now;
  private final List<Reservation> all = new ArrayList<>();
  private final Set<String> users = new HashSet<>();
  private int told;
  private EmptyCluster empty;

  /**
   * @param latestStarts until when jobs have been told that they start
   * @param now of the snapshot, in nanoseconds of the monotonic clock
   */
  ReservedCapacity(RemainingClusterCapacity rooms, Map<JobId, Long> latestStarts, long now) {
    this.rooms = rooms;
    this.latestStarts = latestStarts;
    this.now = now;
  }

  boolean areNone() {
    return all.isEmpty();
  }

  /**
   * Keeps capacity for the first task of a class, or its gang, if it is its turn to have some, and
   * for jobs of the class that have been told until when they start.
   */
  void keepFor(TaskClass waiting) {
    if (waiting.overtaking() == TaskClass.Overtaking.ALLOWED) {
      return;
    }
    JobId first = waiting.tasks().first().job();
    boolean isKept = false;
    if (all.size() - told < most() && !users.contains(waiting.key().user())) {
      Optional<Reservation> one = reserve(waiting);
      one.ifPresent(all::add);
      isKept = one.isPresent();
    }
    if (isKept) {
      users.add(waiting.key().user());
    } else {
      keepTold(waiting, first);
    }
    if (!latestStarts.isEmpty() && waiting.key().gang() == null) {
      TaskId next = waiting.tasks().firstAfter(first);
      for (int looked = 0; next != null && looked < MOST_LOOKED; looked++) {
        keepTold(waiting, next.job());
        next = waiting.tasks().firstAfter(next.job());
      }
    }
  }

  private int most() {
    return Math.max(1, Math.min(MOST, rooms.all().size() / NODES_OF_EACH));
  }

  private Optional<Reservation> reserve(TaskClass waiting) {
    empty = empty == null ? new EmptyCluster(rooms) : empty;
    return Reservation.of(waiting, rooms, empty, roomiestFirst(), now);
  }

  /** Keeps capacity for a job of the class if it has been told a start that is to come. */
  private void keepTold(TaskClass waiting, JobId job) {
    Long latest = latestStarts.get(job);
    boolean isBound = waiting.key().needs().bound() != null; // nobody passes on its devices
    if (latest != null && latest - now > 0 && told < most() && !isBound) {
      reserve(waiting)
          .ifPresent(
              one -> {
                all.add(one.told(job, latest));
                told++;
              });
    }
  }

  private record LargestNode(String node, int wholeGpus, long freeCpus) {}

  private List<String> roomiestFirst() {
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
