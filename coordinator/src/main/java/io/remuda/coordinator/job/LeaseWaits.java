package io.remuda.coordinator.job;

import io.remuda.coordinator.api.LeaseView;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;

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
   * @param replyTo receives the lease, once
   * @param attempt wait for the end of this attempt; 0 to wait until the lease is granted
   * @param until the latest time of the answer
   */
  record Waiter(ActorRef<Reply<LeaseView>> replyTo, int attempt, long until) {

    boolean isServedBy(TaskRecord task) {
      TaskState state = task.state();
      if (state.isFinal()) {
        return true;
      }
      return attempt == 0
          ? state == TaskState.RUNNING || state.isLeaving()
          : task.attempt() != attempt || !state.holdsPlace();
    }
  }

  private final Map<JobId, List<Waiter>> waiters = new HashMap<>();

  /** When a client last asked for each lease. */
  private final Map<JobId, Long> asked = new HashMap<>();

  /** Records that a client has asked for a lease. */
  void asked(JobId lease, long now) {
    asked.put(lease, now);
  }

  /** Adds a client, until {@link #served}, {@link #late} or {@link #drop} returns it. */
  void add(JobId lease, Waiter waiter) {
    waiters.computeIfAbsent(lease, any -> new ArrayList<>()).add(waiter);
  }

  /** Returns whether a client waits for a lease. */
  boolean isAwaited(JobId lease) {
    return waiters.containsKey(lease);
  }

  /** Returns the leases that clients wait for. */
  Set<JobId> leases() {
    return Set.copyOf(waiters.keySet());
  }

  /** Returns and removes the clients for whom the lease's task is now as they want it. */
  List<Waiter> served(JobId lease, TaskRecord task) {
    return take(lease, waiter -> waiter.isServedBy(task));
  }

  /** Returns and removes the clients of a lease after their timeout. */
  List<Waiter> late(JobId lease, long now) {
    return take(lease, waiter -> waiter.until() - now <= 0);
  }

  private List<Waiter> take(JobId lease, Predicate<Waiter> which) {
    List<Waiter> waiting = waiters.getOrDefault(lease, List.of());
    List<Waiter> taken = new ArrayList<>();
    for (Iterator<Waiter> each = waiting.iterator(); each.hasNext(); ) {
      Waiter waiter = each.next();
      if (which.test(waiter)) {
        each.remove();
        taken.add(waiter);
      }
    }
    if (waiting.isEmpty()) {
      waiters.remove(lease);
    }
    return taken;
  }

  /** Removes the clients of a lease whose end they were told. */
  void drop(JobId lease) {
    waiters.remove(lease);
  }

  /** Records that waiting clients still ask for their leases. */
  void stillAsked(long now) {
    waiters.keySet().forEach(lease -> asked(lease, now));
  }

  /**
   * Returns and removes the leases that wait for a place and are abandoned.
   *
   * @param tasks the task of each lease that is known
   */
  List<JobId> abandoned(Map<JobId, TaskRecord> tasks, long now) {
    List<JobId> forgotten = new ArrayList<>();
    asked
        .entrySet()
        .removeIf(
            one -> {
              Optional<TaskRecord> task = Optional.ofNullable(tasks.get(one.getKey()));
              boolean waits = task.filter(known -> known.state().isBefore()).isPresent();
              boolean late = waits && now - one.getValue() > FORGOTTEN.toNanos();
              if (late) {
                forgotten.add(one.getKey());
              }
              return late || task.isEmpty();
            });
    return forgotten;
  }

  /** Returns the leases that clients have asked for and that may still be live. */
  Set<JobId> known() {
    return Set.copyOf(asked.keySet());
  }
}
