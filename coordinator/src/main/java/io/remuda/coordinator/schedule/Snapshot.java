package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.mix.TaskMix;
import io.remuda.coordinator.schedule.model.FailedPlaces;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.UserLimitUsage;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The input of a scheduling cycle besides the waiting tasks.
 *
 * @param nodes in any order
 * @param lastNode last node of each round-robin job, from the previous plan
 * @param use use of each user divided by the user's share; 0 for missing users
 * @param shares share of each user, above 0; 1 for missing users
 * @param measuring by type, the task on which it is being measured
 * @param slowTogether by type, the types that must not share a device with it, and their combined
 *     speed in percent of the speed of one alone
 * @param claims by node, the job that other tasks have been asked to leave it for
 * @param users what users with limits may have at once, and have
 * @param failed where waiting tasks have failed before; it must not change while a plan is made
 * @param mix what tasks usually need; empty where it does not matter
 * @param likely after how long tasks have very likely ended; it must not change while a plan is
 *     made
 * @param promises how fast types are beside each other, and what is promised of that
 * @param firstRuns whether tasks of a type that is not measured may share devices
 * @param turns how the tasks of different users follow each other
 * @param latestStarts until when jobs have been told that they start, in nanoseconds of the
 *     monotonic clock; it must not change while a plan is made
 * @param now in nanoseconds of the monotonic clock
 */
public record Snapshot(
    List<NodeOffer> nodes,
    Map<JobId, String> lastNode,
    Map<String, Double> use,
    Map<String, Double> shares,
    Map<JobType, TaskId> measuring,
    Map<JobType, Map<JobType, Integer>> slowTogether,
    Map<String, Claim> claims,
    Map<String, UserLimitUsage> users,
    Map<TaskId, FailedPlaces> failed,
    TaskMix mix,
    LikelyDurations likely,
    SharePromises promises,
    FirstRuns firstRuns,
    OrderPolicy.Turns turns,
    Map<JobId, Long> latestStarts,
    long now) {

  /**
   * A node from which tasks have been asked to leave for a job.
   *
   * @param priority of the job; only tasks with a higher one may start there meanwhile
   */
  public record Claim(JobId job, int priority) {}

  /** Creates the input of a cycle without claims and limits of users. */
  public Snapshot(
      List<NodeOffer> nodes,
      Map<JobId, String> lastNode,
      Map<String, Double> use,
      Map<String, Double> shares,
      Map<JobType, TaskId> measuring,
      Map<JobType, Map<JobType, Integer>> slowTogether,
      long now) {
    this(nodes, lastNode, use, shares, measuring, slowTogether, Map.of(), Map.of(), Map.of(), now);
  }

  /** Creates the input of a cycle without knowledge of what tasks usually need. */
  public Snapshot(
      List<NodeOffer> nodes,
      Map<JobId, String> lastNode,
      Map<String, Double> use,
      Map<String, Double> shares,
      Map<JobType, TaskId> measuring,
      Map<JobType, Map<JobType, Integer>> slowTogether,
      Map<String, Claim> claims,
      Map<String, UserLimitUsage> users,
      Map<TaskId, FailedPlaces> failed,
      long now) {
    this(
        nodes,
        lastNode,
        use,
        shares,
        measuring,
        slowTogether,
        claims,
        users,
        failed,
        TaskMix.EMPTY,
        LikelyDurations.UNKNOWN,
        SharePromises.NONE,
        FirstRuns.ALONE,
        OrderPolicy.Turns.FAIR_SHARE,
        Map.of(),
        now);
  }

  public Snapshot {
    nodes = List.copyOf(nodes);
    lastNode = Map.copyOf(lastNode);
    use = Map.copyOf(use);
    shares = Map.copyOf(shares);
    measuring = Map.copyOf(measuring);
    slowTogether = Map.copyOf(slowTogether);
    claims = Map.copyOf(claims);
    users = Map.copyOf(users);
  }

  /** Returns the input with other nodes, and without claims and the mix. */
  Snapshot over(List<NodeOffer> others) {
    return with(
        draft -> {
          draft.nodes = others;
          draft.claims = Map.of();
          draft.mix = TaskMix.EMPTY;
        });
  }

  /**
   * Returns the input with the claims and without the mix, after some tasks have left.
   *
   * @param left tasks on which no type is measured any more
   */
  Snapshot afterLeaving(List<NodeOffer> others, Set<TaskId> left) {
    Map<JobType, TaskId> measured = new HashMap<>(measuring);
    measured.values().removeAll(left);
    return with(
        draft -> {
          draft.nodes = others;
          draft.measuring = measured;
          draft.mix = TaskMix.EMPTY;
        });
  }

  /** Returns the input in which first runs may share devices, or not. */
  public Snapshot with(FirstRuns others) {
    return with(draft -> draft.firstRuns = others);
  }

  /** Returns the input with what tasks are promised that share devices. */
  public Snapshot with(SharePromises others) {
    return with(draft -> draft.promises = others);
  }

  /** Returns the input with another mix. */
  Snapshot knowing(TaskMix other) {
    return with(draft -> draft.mix = other);
  }

  /** Returns the input with what is known of how long tasks take. */
  public Snapshot expecting(LikelyDurations other) {
    return with(draft -> draft.likely = other);
  }

  /** Returns the input with tasks in another order. */
  public Snapshot ordered(OrderPolicy.Turns others) {
    return with(draft -> draft.turns = others);
  }

  /** Returns the input with until when jobs have been told that they start. */
  public Snapshot told(Map<JobId, Long> others) {
    return with(draft -> draft.latestStarts = others);
  }

  private Snapshot with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new Snapshot(
        draft.nodes,
        lastNode,
        use,
        shares,
        draft.measuring,
        slowTogether,
        draft.claims,
        users,
        failed,
        draft.mix,
        draft.likely,
        draft.promises,
        draft.firstRuns,
        draft.turns,
        draft.latestStarts,
        now);
  }

  /** What a copy may have otherwise. */
  private static final class Draft {
    private List<NodeOffer> nodes;
    private Map<JobType, TaskId> measuring;
    private Map<String, Claim> claims;
    private TaskMix mix;
    private LikelyDurations likely;
    private SharePromises promises;
    private FirstRuns firstRuns;
    private OrderPolicy.Turns turns;
    private Map<JobId, Long> latestStarts;

    private Draft(Snapshot from) {
      nodes = from.nodes;
      measuring = from.measuring;
      claims = from.claims;
      mix = from.mix;
      likely = from.likely;
      promises = from.promises;
      firstRuns = from.firstRuns;
      turns = from.turns;
      latestStarts = from.latestStarts;
    }
  }

  /**
   * Returns the types that tasks of this class must not share a device with.
   *
   * @param promises those of the snapshot and of the plan so far
   */
  Map<JobType, Integer> slowWith(TaskClass.SchedulingKey key, SharePromises promises) {
    if (key.type() == null) {
      return Map.of();
    }
    Map<JobType, Integer> slow =
        promises.and(
            slowTogether.getOrDefault(key.type(), Map.of()), key.type(), key.needs().shareIf());
    if (key.gang() == null) {
      return slow;
    }
    Map<JobType, Integer> others = new HashMap<>(slow);
    others.remove(key.type()); // a gang may fit only if its tasks share devices
    return others;
  }

  /** Returns where a task, or a member of its gang, has failed before. */
  FailedPlaces failed(Collection<TaskId> tasks) {
    FailedPlaces all = FailedPlaces.NONE;
    if (!failed.isEmpty()) {
      for (TaskId task : tasks) {
        all = all.and(failed.getOrDefault(task, FailedPlaces.NONE));
      }
    }
    return all;
  }
}
