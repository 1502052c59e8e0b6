package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The capacity that a plan keeps so that jobs start as they have been told, beside what is {@link
 * ReservedCapacity reserved}: for one of each user, as each of them makes all others wait longer. A
 * task passes such a job if it leaves enough for it, or if it has ended by the time that the job
 * was told, or by when it could start if that is later. What is kept here never changes what is
 * reserved.
 */
final class ToldStarts {

  /** Maximum number of jobs of a line that are looked at for what they have been told. */
  private static final int MOST_LOOKED = 64;

  private final RemainingClusterCapacity rooms;
  private final Map<JobId, Long> latestStarts;
  private final long now;
  private final List<Kept> all = new ArrayList<>();
  private final List<Reservation> reserved = new ArrayList<>();
  private final Set<String> users = new HashSet<>();
  private EmptyCluster empty;
  private List<String> roomiestFirst;

  /** Jobs of which a task has its place in this plan. */
  private final Set<JobId> started = new HashSet<>();

  /** What the task whose turn it is must leave. */
  private List<Reservation> before = List.of();

  private record Kept(TaskClass line, Reservation reservation, long clearedBy) {

    /**
     * Returns whether the task whose turn it is comes behind the job for which it is kept: of the
     * same line those that were submitted later.
     */
    private boolean isBefore(Turn turn) {
      int order = turn.task().job().compareTo(reservation.job());
      return order != 0 && (line != turn.line() || order > 0);
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
   * @param company beside whom its tasks may be
   * @param most number of jobs in all for which it is tried, each of another user
   */
  void keepFor(Turn turn, boolean isReserved, IntPredicate mayStart, Filter company, int most) {
    TaskClass.SchedulingKey key = turn.line().key();
    boolean isBound = key.needs().bound() != null; // nobody passes on its devices
    if (latestStarts.isEmpty() || users.size() >= most || users.contains(key.user()) || isBound) {
      return;
    }
    boolean more = isReserved || isUntold(turn, turn.task(), company);
    TaskId task = key.gang() == null ? turn.line().tasks().firstAfter(turn.task().job()) : null;
    for (int count = 2; more && task != null && count <= MOST_LOOKED; count++) {
      more = mayStart.test(count) && isUntold(turn, task, company);
      task = turn.line().tasks().firstAfter(task.job());
    }
  }

  /** Keeps capacity for a task's job unless it was told nothing; returns whether it was not. */
  private boolean isUntold(Turn turn, TaskId task, Filter company) {
    Long latest = latestStarts.get(task.job());
    if (latest == null || latest - now <= 0 || started.contains(task.job())) {
      return true;
    }
    users.add(turn.line().key().user());
    if (empty == null) {
      empty = new EmptyCluster(rooms);
      reserved.forEach(one -> empty.keep(one.chosen()));
      roomiestFirst = ReservedCapacity.roomiestFirst(rooms);
    }
    Optional<Reservation> one =
        Reservation.of(turn.line(), task.job(), rooms, empty, roomiestFirst, company, now);
    one.ifPresent(kept -> all.add(new Kept(turn.line(), kept, clearedBy(kept, latest))));
    return false;
  }

  private static long clearedBy(Reservation kept, long latest) {
    OptionalLong starts = kept.startsAt();
    return starts.isPresent() && starts.getAsLong() - latest > 0 ? starts.getAsLong() : latest;
  }

  /** Notes that a task has its place. */
  void isPlaced(TaskId task) {
    if (!latestStarts.isEmpty()) {
      started.add(task.job());
    }
  }

  /**
   * Notes whose turn it is.
   *
   * @param millis after which its task will have ended; 0 if that is not known
   */
  void isTurnOf(Turn turn, long millis) {
    before = all.isEmpty() ? List.of() : before(turn, millis);
  }

  private List<Reservation> before(Turn turn, long millis) {
    return all.stream()
        .filter(one -> one.isBefore(turn))
        .filter(one -> millis <= 0 || now + millis * 1_000_000 - one.clearedBy() > 0)
        .map(Kept::reservation)
        .toList();
  }

  /**
   * Returns the first job that the task whose turn it is may make start later than it was told, if
   * it gets its place on the node; empty for none.
   */
  Optional<JobId> blocking(RemainingNodeCapacity node, ResourceRequest needs) {
    return blocking(before, node, needs);
  }

  /** Returns the same if the task has ended by its time limit, and not before. */
  Optional<JobId> blocking(
      RemainingNodeCapacity node, ResourceRequest needs, Turn turn, long limitMillis) {
    return all.isEmpty() ? Optional.empty() : blocking(before(turn, limitMillis), node, needs);
  }

  private static Optional<JobId> blocking(
      List<Reservation> some, RemainingNodeCapacity node, ResourceRequest needs) {
    for (Reservation one : some) {
      if (!one.allows(node, needs, 0)) {
        return Optional.of(one.job());
      }
    }
    return Optional.empty();
  }
}
