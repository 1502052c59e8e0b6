package io.remuda.coordinator.schedule.forecast;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.DeviceOrder;
import io.remuda.coordinator.schedule.model.NodeCheckpoint;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.order.QueueOrder;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Estimates when waiting jobs start: from one known end to the next, the capacity that is free then
 * is given to the waiting jobs in the order of their turns, as the scheduler would.
 *
 * <p>It is an estimate, and a simple one. A task whose end is not known keeps its place for ever,
 * so that a job that waits for it has no time. Not looked at are reservations, preemption, and
 * which types slow each other; a job that would fit now and waits nevertheless, for one of these
 * reasons, has no time. Ends that are close together count as one, at the last of them. The look
 * ahead ends after {@value #MOST_STEPS} of them and {@value #MOST_CHECKS} looks at a node, which
 * bounds what it costs; jobs further behind have no time.
 */
public final class StartForecast {

  /** Jobs whose place in the order is known. */
  private static final int MOST_TURNS = 1000;

  /** Jobs that may start in the estimate. */
  private static final int MOST_JOBS = 200;

  private static final int MOST_STEPS = 128;
  private static final int MOST_CHECKS = 40_000;

  /** Ends that are so close together, relative to when they are, count as one. */
  private static final double CLOSE = 0.03;

  /** Tasks of the estimate that have a place. */
  private static final int MOST_PLACED = 1000;

  private static final long NEVER = Long.MAX_VALUE;

  /** The nodes as if the tasks of some slots had left. */
  public interface Offers {
    List<NodeOffer> without(Set<Long> slots);
  }

  /** How long a task of a job takes. */
  public interface Durations {
    /** Returns milliseconds, or nothing if they are not known. */
    OptionalLong millis(JobId job, TaskClass.SchedulingKey key);
  }

  /** A waiting job, or the part of it that is in one class. */
  private static final class Waiting {
    private final JobId job;
    private final TaskClass.SchedulingKey key;
    private final List<TaskId> tasks = new ArrayList<>();
    private boolean dropped;

    private Waiting(JobId job, TaskClass.SchedulingKey key, TaskSet all) {
      this.job = job;
      this.key = key;
      int most = key.gang() == null ? MOST_PLACED : Integer.MAX_VALUE;
      TaskId zero = new TaskId(job, 0);
      TaskId next = all.contains(zero) ? zero : all.higher(zero);
      while (next != null && next.job().equals(job) && tasks.size() < most) {
        tasks.add(next);
        next = all.higher(next);
      }
    }
  }

  /** A task that has a place in the estimate. */
  private record Placed(
      TaskClass.SchedulingKey key, ResourceRequest needs, String node, long end) {}

  private final Offers offers;
  private final Durations durations;
  private final List<Waiting> queue = new ArrayList<>();
  private final Map<JobId, Integer> turns = new LinkedHashMap<>();
  private final Map<JobId, Long> starts = new HashMap<>();
  private final List<Placed> placed = new ArrayList<>();
  private int checks;

  private StartForecast(QueueOrder order, Offers offers, Durations durations) {
    this.offers = offers;
    this.durations = durations;
    for (Optional<Turn> turn = order.next();
        turn.isPresent() && turns.size() < MOST_TURNS;
        turn = order.next()) {
      JobId job = turn.get().task().job();
      turns.putIfAbsent(job, turns.size() + 1);
      if (queue.size() < MOST_JOBS) {
        queue.add(new Waiting(job, turn.get().line().key(), turn.get().line().tasks()));
      }
      order.passed(turn.get());
    }
  }

  /**
   * Returns the forecast of each waiting job; those far behind have none.
   *
   * @param order of the waiting tasks; it is used up
   * @param ends of the running tasks, as far as they are known
   */
  public static Map<JobId, JobForecast> of(
      QueueOrder order, List<ExpectedSlotEnd> ends, Offers offers, Durations durations) {
    StartForecast forecast = new StartForecast(order, offers, durations);
    forecast.run(ends);
    Map<JobId, JobForecast> all = new HashMap<>();
    forecast.turns.forEach(
        (job, turn) -> all.put(job, new JobForecast(turn, forecast.starts.get(job))));
    return all;
  }

  private void run(List<ExpectedSlotEnd> ends) {
    RemainingClusterCapacity rooms = RemainingClusterCapacity.of(offers.without(Set.of()));
    dropThatFit(rooms);
    List<ExpectedSlotEnd> left = new ArrayList<>(ends);
    left.sort(Comparator.comparingLong(ExpectedSlotEnd::inMillis));
    Set<Long> gone = new HashSet<>();
    long time = next(left, -1);
    for (int step = 0; step < MOST_STEPS && time != NEVER && waitsAny(); step++) {
      long close = time + (long) (time * CLOSE);
      while (!left.isEmpty() && left.get(0).inMillis() <= close) {
        time = Math.max(time, left.get(0).inMillis());
        gone.add(left.remove(0).slot());
      }
      List<NodeOffer> then = offers.without(Set.copyOf(gone));
      rooms = rooms.renew(then) ? rooms : RemainingClusterCapacity.of(then);
      placeAll(rooms, time);
      time = checks > MOST_CHECKS ? NEVER : next(left, time);
    }
  }

  private boolean waitsAny() {
    return queue.stream().anyMatch(one -> !one.dropped && !starts.containsKey(one.job));
  }

  private long next(List<ExpectedSlotEnd> left, long time) {
    long next = left.isEmpty() ? NEVER : left.get(0).inMillis();
    for (Placed one : placed) {
      next = one.end() > time ? Math.min(next, one.end()) : next;
    }
    return next;
  }

  /** Drops the jobs that fit now and wait nevertheless. */
  private void dropThatFit(RemainingClusterCapacity rooms) {
    Set<TaskClass.SchedulingKey> fit = new HashSet<>();
    Set<TaskClass.SchedulingKey> full = new HashSet<>();
    for (Waiting one : queue) {
      if (one.key.gang() == null && !full.contains(one.key) && !fit.contains(one.key)) {
        (room(rooms, one.key.needs()).isPresent() ? fit : full).add(one.key);
      }
      one.dropped = fit.contains(one.key);
    }
  }

  private void placeAll(RemainingClusterCapacity rooms, long time) {
    for (Placed one : placed) {
      RemainingNodeCapacity room = one.end() > time ? rooms.get(one.node()) : null;
      if (room != null && Filter.firstRefusal(room, one.needs()).isEmpty()) {
        take(room, one.key(), one.needs());
      }
    }
    Set<TaskClass.SchedulingKey> full = new HashSet<>();
    for (Waiting one : queue) {
      if (!one.dropped && !one.tasks.isEmpty() && !full.contains(one.key)) {
        boolean all =
            one.key.gang() == null ? place(one, rooms, time) : placeGang(one, rooms, time);
        if (!all) {
          full.add(one.key);
        }
      }
    }
  }

  private boolean place(Waiting one, RemainingClusterCapacity rooms, long time) {
    ResourceRequest needs = one.key.needs();
    while (!one.tasks.isEmpty() && placed.size() < MOST_PLACED) {
      Optional<RemainingNodeCapacity> room = room(rooms, needs);
      if (room.isEmpty()) {
        return false;
      }
      one.tasks.remove(one.tasks.size() - 1);
      hold(one, needs, room.get(), time);
    }
    return true;
  }

  /** Places all members of a gang, each on the first node where it fits, or none. */
  private boolean placeGang(Waiting one, RemainingClusterCapacity rooms, long time) {
    Map<RemainingNodeCapacity, NodeCheckpoint> before = new LinkedHashMap<>();
    rooms.all().forEach(room -> before.put(room, room.remember()));
    int placedBefore = placed.size();
    for (TaskId member : one.tasks) {
      ResourceRequest needs = one.key.needs(member);
      Optional<RemainingNodeCapacity> room = room(rooms, needs);
      if (room.isEmpty()) {
        before.forEach(RemainingNodeCapacity::restore);
        placed.subList(placedBefore, placed.size()).clear();
        starts.remove(one.job);
        return false;
      }
      hold(one, needs, room.get(), time);
    }
    one.tasks.clear();
    return true;
  }

  private Optional<RemainingNodeCapacity> room(
      RemainingClusterCapacity rooms, ResourceRequest needs) {
    for (RemainingNodeCapacity room : rooms.all()) {
      if (++checks > MOST_CHECKS) {
        return Optional.empty();
      }
      if (Filter.firstRefusal(room, needs).isEmpty()) {
        return Optional.of(room);
      }
    }
    return Optional.empty();
  }

  private void hold(Waiting one, ResourceRequest needs, RemainingNodeCapacity room, long time) {
    take(room, one.key, needs);
    OptionalLong millis = durations.millis(one.job, one.key);
    long end = millis.isEmpty() ? NEVER : time + Math.max(1, millis.getAsLong());
    placed.add(new Placed(one.key, needs, room.name(), end));
    starts.putIfAbsent(one.job, time);
  }

  private static void take(
      RemainingNodeCapacity room, TaskClass.SchedulingKey key, ResourceRequest needs) {
    room.take(needs, key.type(), DeviceOrder.of(key.policy()));
  }
}
