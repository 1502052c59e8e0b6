package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * The capacity that a plan keeps so that jobs start as they have been told, beside what is {@link
 * ReservedCapacity reserved}. A task passes such a job if it leaves enough for it, or if it has
 * ended by the time that the job was told, or by when it could start if that is later. What is kept
 * here never changes what is reserved.
 */
final class ToldStarts {

  /** Maximum number of jobs of a user for which capacity is kept. */
  private static final int MOST_OF_USER = 2;

  /** Maximum number of jobs of a line that are looked at for what they have been told. */
  private static final int MOST_LOOKED = 64;

  private final RemainingClusterCapacity rooms;
  private final Map<JobId, Long> latestStarts;
  private final long now;
  private final List<Kept> all = new ArrayList<>();
  private final List<Reservation> reserved = new ArrayList<>();
  private final Map<String, Integer> tried = new HashMap<>();
  private EmptyCluster empty;
  private List<String> roomiestFirst;
  private int tries;

  private record Kept(TaskClass.SchedulingKey key, Reservation reservation, long clearedBy) {

    /** Returns whether the job is behind the one for which it is kept. */
    private boolean isBehind(TaskClass.SchedulingKey otherKey, JobId other) {
      return !key.equals(otherKey) || other.compareTo(reservation.job()) > 0;
    }
  }

  /**
   * @param latestStarts until when jobs have been told that they start
   * @param now of the snapshot, both in nanoseconds of the monotonic clock
   */
  ToldStarts(RemainingClusterCapacity rooms, Map<JobId, Long> latestStarts, long now) {
    this.rooms = rooms;
    this.latestStarts = latestStarts;
    this.now = now;
  }

  /** Notes what is reserved for another reason. */
  void isReserved(Reservation one) {
    reserved.add(one);
    if (empty != null) {
      empty.keep(one.chosen());
    }
  }

  /**
   * Keeps capacity for jobs of a class that cannot start now and have been told until when they do.
   *
   * @param turn its first task that cannot start
   * @param isReserved whether capacity is reserved for the job of that task
   * @param mayStart whether so many tasks of the class may start at once, if there is room
   * @param most number of jobs in all for which it is tried
   */
  void keepFor(Turn turn, boolean isReserved, IntPredicate mayStart, int most) {
    TaskClass.SchedulingKey key = turn.line().key();
    if (latestStarts.isEmpty() || key.needs().bound() != null) {
      return; // nobody passes on devices that a process is bound to
    }
    boolean next = isReserved || keep(turn, turn.task(), most);
    TaskId task = key.gang() == null ? turn.line().tasks().firstAfter(turn.task().job()) : null;
    for (int count = 2; next && task != null && count <= MOST_LOOKED; count++) {
      next = mayStart.test(count) && keep(turn, task, most);
      task = turn.line().tasks().firstAfter(task.job());
    }
  }

  /** Returns whether it makes sense to try the next of the same class. */
  private boolean keep(Turn turn, TaskId task, int most) {
    Long latest = latestStarts.get(task.job());
    if (latest == null || latest - now <= 0) {
      return true;
    }
    String user = turn.line().key().user();
    if (tries >= most || tried.getOrDefault(user, 0) >= MOST_OF_USER) {
      return false;
    }
    tries++;
    tried.merge(user, 1, Integer::sum);
    if (empty == null) {
      empty = new EmptyCluster(rooms);
      reserved.forEach(one -> empty.keep(one.chosen()));
      roomiestFirst = ReservedCapacity.roomiestFirst(rooms);
    }
    Optional<Reservation> one =
        Reservation.of(turn.line(), task.job(), rooms, empty, roomiestFirst, now);
    one.ifPresent(kept -> all.add(new Kept(turn.line().key(), kept, clearedBy(kept, latest))));
    return one.isPresent();
  }

  private static long clearedBy(Reservation kept, long latest) {
    OptionalLong starts = kept.startsAt();
    return starts.isPresent() && starts.getAsLong() - latest > 0 ? starts.getAsLong() : latest;
  }

  /**
   * Returns the first job that a task on the node may make start later than it was told, empty for
   * none.
   *
   * @param turn the task's
   * @param millis after which it will have ended; 0 if that is not known
   */
  Optional<JobId> blocking(
      RemainingNodeCapacity node, ResourceRequest needs, Turn turn, long millis) {
    for (Kept one : all) {
      boolean inTime = millis > 0 && now + millis * 1_000_000 - one.clearedBy <= 0;
      if (!inTime
          && one.isBehind(turn.line().key(), turn.task().job())
          && !one.reservation().allows(node, needs, millis)) {
        return Optional.of(one.reservation().job());
      }
    }
    return Optional.empty();
  }
}
