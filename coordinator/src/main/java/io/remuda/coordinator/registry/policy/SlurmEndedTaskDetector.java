package io.remuda.coordinator.registry.policy;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.Map;

/**
 * Which ends of tasks may be Slurm's doing. When it ends a job it may send SIGTERM to the tasks
 * together with their agent, so that their ends are known before that. Such an end is left open for
 * a while, in which the agent tells its signal. Times are nanoseconds of one monotonic clock.
 */
public final class SlurmEndedTaskDetector {

  /** Reports are repeated each second. */
  static final long OPEN_NANOS = 2_500_000_000L;

  private static final int SIGTERM = 15;

  private final Map<AttemptId, Long> openSince = new HashMap<>();
  private boolean inAllocation;
  private boolean ending;

  /** The server is in an allocation. */
  public void inAllocation() {
    inAllocation = true;
  }

  /** The allocation ends. */
  public void ends() {
    ending = true;
    openSince.clear();
  }

  /** Returns whether the cause of this end is not known yet: it is reported again. */
  public boolean isOpen(AttemptId attempt, TaskEnd end, long now) {
    if (!inAllocation || ending || !isTerminated(end)) {
      return false;
    }
    boolean open = now - openSince.computeIfAbsent(attempt, first -> now) < OPEN_NANOS;
    if (!open) {
      openSince.remove(attempt);
    }
    return open;
  }

  /** Returns whether the allocation ends. */
  public boolean isEnding() {
    return ending;
  }

  /** Returns whether Slurm has ended it with the allocation. */
  public boolean hasEnded(TaskEnd end) {
    return ending && isTerminated(end);
  }

  private static boolean isTerminated(TaskEnd end) {
    boolean terminated = end.signal() != null && end.signal() == SIGTERM;
    return terminated || end.kind() == TaskEnd.Kind.KEEPER_GONE; // which gets the signal, too
  }
}
