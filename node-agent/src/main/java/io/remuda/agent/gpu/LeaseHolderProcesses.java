package io.remuda.agent.gpu;

import io.remuda.agent.attempt.DeviceLeaseRecord;
import io.remuda.agent.keeper.sweep.ProcessTaskLookup;
import io.remuda.worker.job.AttemptId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The programs that hold leases on this node. They have no mark in their environment, so they are
 * identified by pid. Thread-safe.
 */
public final class LeaseHolderProcesses {

  private final Map<AttemptId, DeviceLeaseRecord> byAttempt = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  /** Adds a program that holds a lease. */
  public void add(AttemptId attempt, DeviceLeaseRecord program) {
    byAttempt.put(attempt, program);
    changes.incrementAndGet();
  }

  /** Removes a program; does nothing if it holds no lease. */
  public void remove(AttemptId attempt) {
    if (byAttempt.remove(attempt) != null) {
      changes.incrementAndGet();
    }
  }

  /** Returns a number that grows whenever results of {@link #ownerOf} may change. */
  long version() {
    return changes.get();
  }

  /** Returns the lease of a process, or of its nearest ancestor that has one. */
  Optional<AttemptId> ownerOf(long pid) {
    return byAttempt.isEmpty() ? Optional.empty() : ProcessTaskLookup.nearest(pid, this::leaseOf);
  }

  private Optional<AttemptId> leaseOf(long pid, long startTicks) {
    return byAttempt.entrySet().stream()
        .filter(one -> one.getValue().pid() == pid && one.getValue().startTicks() == startTicks)
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
