package io.remuda.coordinator.registry;

import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes on which several tasks in a row could not begin because the node lacks something, such as
 * disk space. The node is avoided for a pause that doubles each time. Then one trial task is sent;
 * if it begins, the node is used normally again. Times are nanoseconds of one monotonic clock.
 * Single-threaded.
 */
final class FailingNodes {

  /** Maximum time to wait for the result of a trial task. */
  private static final long LONGEST_TRIAL = Duration.ofSeconds(30).toNanos();

  /** The state of a node on which the last task could not begin. */
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

  /** Records that a task could not begin on the node. */
  void failed(String node, String cause, long now) {
    FailingNode trial = byNode.computeIfAbsent(node, name -> new FailingNode());
    trial.failures++;
    trial.cause = cause;
    boolean after = trial.pause == 0 || trial.sent != null || now - trial.until >= 0;
    if (isAvoided(trial) && after) { // failures of tasks sent earlier do not count
      long doubled = Math.max(policy.first().toNanos(), trial.pause * 2);
      trial.pause = Math.min(doubled, policy.longest().toNanos());
      trial.until = now + trial.pause;
    }
    trial.sent = null;
  }

  private boolean isAvoided(FailingNode trial) {
    return trial.failures >= policy.after();
  }

  /** Records that a task has begun on the node, which ends its failures. */
  void begun(String node) {
    byNode.remove(node);
  }

  /** Drops the trial task: the reason of its refusal does not concern the node. */
  void unclear(String node) {
    FailingNode trial = byNode.get(node);
    if (trial != null) {
      trial.sent = null;
    }
  }

  /** Returns whether a task may be placed on the node. */
  boolean isOpen(String node, long now) {
    FailingNode trial = byNode.get(node);
    return trial == null || !isAvoided(trial) || (now - trial.until >= 0 && !trial.isOut(now));
  }

  /** Returns whether a task may be placed on the node, and records it if it is the trial task. */
  boolean admits(String node, TaskId task, long now) {
    boolean open = isOpen(node, now);
    FailingNode trial = byNode.get(node);
    if (open && trial != null && isAvoided(trial)) {
      trial.sent = task;
      trial.sentAt = now;
    }
    return open;
  }

  /** Returns why the node gets no tasks at present, empty if it gets tasks. */
  Optional<NodePause> pause(String node, long now) {
    FailingNode trial = byNode.get(node);
    boolean avoided =
        trial != null && isAvoided(trial) && (now - trial.until < 0 || trial.isOut(now));
    return avoided
        ? Optional.of(new NodePause.Failures(trial.failures, trial.cause, trial.pause / 1_000_000))
        : Optional.empty();
  }

  /** Returns whether there are no nodes with failures. */
  boolean areNone() {
    return byNode.isEmpty();
  }
}
