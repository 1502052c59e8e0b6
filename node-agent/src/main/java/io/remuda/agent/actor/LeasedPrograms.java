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
    return byAttempt.isEmpty() ? Optional.empty() : ProcessOwner.nearest(pid, this::leaseOf);
  }

  private Optional<AttemptId> leaseOf(long pid, long startTicks) {
    return byAttempt.entrySet().stream()
        .filter(one -> one.getValue().pid() == pid && one.getValue().startTicks() == startTicks)
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
