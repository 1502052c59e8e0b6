package io.remuda.coordinator.registry.policy;

import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Nodes on which several tasks in a row could not begin because the node lacks something, such as
 * disk space. The node is avoided for a pause that doubles each time. Then one trial task is sent;
 * if it begins, the node is used normally again. Times are nanoseconds of one monotonic clock.
 * Single-threaded.
 */
public final class FailingNodes {

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

  public FailingNodes(RetryPolicy.Avoidance policy) {
    this.policy = policy;
  }

  /** Records that a task could not begin on the node. */
  public void failed(String node, String cause, long now) {
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
  public void begun(String node) {
    byNode.remove(node);
  }

  /** Drops the trial task: the reason of its refusal does not concern the node. */
  public void unclear(String node) {
    FailingNode trial = byNode.get(node);
    if (trial != null) {
      trial.sent = null;
    }
  }

  /**
   * Returns which placements their nodes admit: on a failing node only a trial task, and of a gang
   * all or none.
   *
   * @param planned all placements of a plan
   * @param isMember whether a task starts together with the others of its job
   */
  public Predicate<Plan.Placement> admission(
      List<Plan.Placement> planned, Predicate<TaskId> isMember, long now) {
    if (areNone()) {
      return any -> true;
    }
    Map<JobId, List<Plan.Placement>> gangs = new HashMap<>();
    for (Plan.Placement placement : planned) {
      if (isMember.test(placement.task())) {
        gangs.computeIfAbsent(placement.task().job(), job -> new ArrayList<>()).add(placement);
      }
    }
    Map<JobId, Boolean> whole = new HashMap<>();
    return placement -> {
      JobId job = placement.task().job();
      List<Plan.Placement> gang = gangs.get(job);
      return gang == null
          ? admits(placement.node(), placement.task(), now)
          : whole.computeIfAbsent(job, first -> admitsWhole(gang, now));
    };
  }

  private boolean admitsWhole(List<Plan.Placement> gang, long now) {
    boolean open = gang.stream().allMatch(one -> isOpen(one.node(), now));
    if (open) {
      gang.forEach(one -> admits(one.node(), one.task(), now));
    }
    return open;
  }

  private boolean isOpen(String node, long now) {
    FailingNode trial = byNode.get(node);
    return trial == null || !isAvoided(trial) || (now - trial.until >= 0 && !trial.isOut(now));
  }

  /** Returns whether a task may be placed on the node, and records it if it is the trial task. */
  private boolean admits(String node, TaskId task, long now) {
    boolean open = isOpen(node, now);
    FailingNode trial = byNode.get(node);
    if (open && trial != null && isAvoided(trial)) {
      trial.sent = task;
      trial.sentAt = now;
    }
    return open;
  }

  /** Returns why the node gets no tasks at present, empty if it gets tasks. */
  public Optional<NodePause> pause(String node, long now) {
    FailingNode trial = byNode.get(node);
    boolean avoided =
        trial != null && isAvoided(trial) && (now - trial.until < 0 || trial.isOut(now));
    return avoided
        ? Optional.of(new NodePause.Failures(trial.failures, trial.cause, trial.pause / 1_000_000))
        : Optional.empty();
  }

  /** Returns whether there are no nodes with failures. */
  public boolean areNone() {
    return byNode.isEmpty();
  }
}
