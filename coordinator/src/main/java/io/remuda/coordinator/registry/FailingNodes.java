package io.remuda.coordinator.registry;

import io.remuda.coordinator.schedule.NodePause;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes on which tasks could not begin, several in a row, for want of something that is not the
 * tasks' own: such a node is avoided for a while that doubles each time. Then one task is sent
 * there to see; if it begins, the node is as good as any. Times are nanoseconds of one monotonic
 * clock. One thread.
 */
final class FailingNodes {

  /** A task that was sent to see counts no longer than this if nothing is heard of it. */
  private static final long LONGEST_TRIAL = Duration.ofSeconds(30).toNanos();

  /** What is known of a node on which the last task could not begin. */
  private static final class FailingNode {
    private int failures;
    private String cause;
    private long pause;
    private long until;
    private TaskId sent;
    private long sentAt;

    private boolean isOut(long now) {
      return sent != null && now - sentAt < LONGEST_TRIAL;
    }
  }

  private final RetryPolicy.Avoidance policy;
  private final Map<String, FailingNode> byNode = new HashMap<>();

  FailingNodes(RetryPolicy.Avoidance policy) {
    this.policy = policy;
  }

  /** A task could not begin on the node. */
  void failed(String node, String cause, long now) {
    FailingNode trial = byNode.computeIfAbsent(node, name -> new FailingNode());
    trial.failures++;
    trial.cause = cause;
    boolean after = trial.pause == 0 || trial.sent != null || now - trial.until >= 0;
    if (isAvoided(trial) && after) { // others that were on their way tell nothing new
      long doubled = Math.max(policy.first().toNanos(), trial.pause * 2);
      trial.pause = Math.min(doubled, policy.longest().toNanos());
      trial.until = now + trial.pause;
    }
    trial.sent = null;
  }

  private boolean isAvoided(FailingNode trial) {
    return trial.failures >= policy.after();
  }

  /** A task has begun there. */
  void begun(String node) {
    byNode.remove(node);
  }

  /** It is not known whether a task that was sent there could have begun. */
  void unclear(String node) {
    FailingNode trial = byNode.get(node);
    if (trial != null) {
      trial.sent = null;
    }
  }

  /** Whether a task may be placed there. */
  boolean isOpen(String node, long now) {
    FailingNode trial = byNode.get(node);
    return trial == null || !isAvoided(trial) || (now - trial.until >= 0 && !trial.isOut(now));
  }

  /** Whether a task may be placed there; if it is the one that is sent to see, it is noted. */
  boolean admits(String node, TaskId task, long now) {
    boolean open = isOpen(node, now);
    FailingNode trial = byNode.get(node);
    if (open && trial != null && isAvoided(trial)) {
      trial.sent = task;
      trial.sentAt = now;
    }
    return open;
  }

  /** Why the node gets no tasks now, if it does not. */
  Optional<NodePause> pause(String node, long now) {
    FailingNode trial = byNode.get(node);
    boolean avoided =
        trial != null && isAvoided(trial) && (now - trial.until < 0 || trial.isOut(now));
    return avoided
        ? Optional.of(new NodePause.Failures(trial.failures, trial.cause, trial.pause / 1_000_000))
        : Optional.empty();
  }

  /** Whether no node has anything against it. */
  boolean areNone() {
    return byNode.isEmpty();
  }
}
