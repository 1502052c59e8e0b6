package io.remuda.agent.actor;

import io.remuda.agent.keeper.ProcessOwner;
import io.remuda.worker.job.AttemptId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The programs that hold leases here; they carry no mark, so they are known by their pids. */
final class LeasedPrograms {

  private final Map<AttemptId, LeaseNote> byAttempt = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  /** A program holds something from now on. */
  void add(AttemptId attempt, LeaseNote program) {
    byAttempt.put(attempt, program);
    changes.incrementAndGet();
  }

  /** A program holds it no more; one that never did changes nothing. */
  void remove(AttemptId attempt) {
    if (byAttempt.remove(attempt) != null) {
      changes.incrementAndGet();
    }
  }

  /** Grows with every change of what {@link #ownerOf} says. */
  long version() {
    return changes.get();
  }

  /** The lease of a process, or of the nearest above it that has one. */
  Optional<AttemptId> ownerOf(long pid) {
    Optional<AttemptId> owner = Optional.empty();
    int nearest = Integer.MAX_VALUE;
    for (Map.Entry<AttemptId, LeaseNote> one : byAttempt.entrySet()) {
      int distance = ProcessOwner.distance(pid, one.getValue().pid(), one.getValue().startTicks());
      if (distance >= 0 && distance < nearest) {
        nearest = distance;
        owner = Optional.of(one.getKey());
      }
    }
    return owner;
  }
}
