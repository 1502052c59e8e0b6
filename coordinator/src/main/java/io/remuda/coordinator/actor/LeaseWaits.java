package io.remuda.coordinator.actor;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRecord;
import io.remuda.worker.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The clients that wait for a lease, and when each lease was last asked for. Times are nanoseconds
 * of one monotonic clock. Single-threaded.
 */
final class LeaseWaits {

  /** A waiting lease that no client has asked for during this time is abandoned. */
  static final Duration FORGOTTEN = Duration.ofSeconds(30);

  /**
   * A waiting client.
   *
   * @param answer receives the lease, once
   * @param attempt wait for the end of this attempt; 0 to wait until the lease is granted
   * @param until the latest time of the answer
   */
  record Waiter(Consumer<LeaseView> answer, int attempt, long until) {

    boolean isServedBy(TaskRecord task) {
      TaskState state = task.state();
      if (state.isFinal()) {
        return true;
      }
      return attempt == 0
          ? state == TaskState.RUNNING || state == TaskState.ENDING
          : task.attempt() != attempt || !state.holdsPlace();
    }
  }

  private final Function<JobId, Optional<TaskRecord>> find;
  private final Function<JobId, LeaseView> view;
  private final Map<JobId, List<Waiter>> waiters = new HashMap<>();

  /** When a client last asked for each lease. */
  private final Map<JobId, Long> asked = new HashMap<>();

  /**
   * @param find returns a lease's task, if it is known
   * @param view describes a lease that is known
   */
  LeaseWaits(Function<JobId, Optional<TaskRecord>> find, Function<JobId, LeaseView> view) {
    this.find = find;
    this.view = view;
  }

  /** Records that a client has asked for a lease. */
  void asked(JobId lease, long now) {
    asked.put(lease, now);
  }

  /** Answers at once if the condition is met or the timeout has passed, otherwise later. */
  void add(JobId lease, Waiter waiter, long now) {
    asked(lease, now);
    boolean served = find.apply(lease).filter(waiter::isServedBy).isPresent();
    if (served || waiter.until() - now <= 0) {
      waiter.answer().accept(view.apply(lease));
    } else {
      waiters.computeIfAbsent(lease, any -> new ArrayList<>()).add(waiter);
    }
  }

  /** Answers the waiting clients that a change of the lease satisfies. */
  void moved(JobId lease) {
    find.apply(lease).ifPresent(task -> answer(lease, waiter -> waiter.isServedBy(task)));
  }

  private void answer(JobId lease, Predicate<Waiter> which) {
    List<Waiter> waiting = waiters.getOrDefault(lease, List.of());
    for (Iterator<Waiter> each = waiting.iterator(); each.hasNext(); ) {
      Waiter waiter = each.next();
      if (which.test(waiter)) {
        each.remove();
        waiter.answer().accept(view.apply(lease));
      }
    }
    if (waiting.isEmpty()) {
      waiters.remove(lease);
    }
  }

  /**
   * Answers clients after their timeout.
   *
   * @return waiting leases that are abandoned; each is returned once
   */
  List<JobId> tick(long now) {
    waiters.keySet().forEach(lease -> asked(lease, now));
    for (JobId lease : List.copyOf(waiters.keySet())) {
      if (find.apply(lease).isPresent()) {
        answer(lease, waiter -> waiter.until() - now <= 0);
      } else {
        waiters.remove(lease); // its end was answered
      }
    }
    List<JobId> forgotten = new ArrayList<>();
    asked
        .entrySet()
        .removeIf(
            one -> {
              Optional<TaskRecord> task = find.apply(one.getKey());
              boolean waits = task.filter(known -> known.state().isBefore()).isPresent();
              boolean late = waits && now - one.getValue() > FORGOTTEN.toNanos();
              if (late) {
                forgotten.add(one.getKey());
              }
              return late || task.isEmpty();
            });
    return forgotten;
  }
}
