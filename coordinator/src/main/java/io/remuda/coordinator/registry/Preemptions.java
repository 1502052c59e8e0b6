package io.remuda.coordinator.registry;

import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.Victim;
import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks running tasks to leave their places for waiting ones of higher priority, and keeps the nodes
 * of those for which they leave from tasks of lower priority. Times are in nanoseconds of the
 * monotonic clock. Single-threaded.
 */
final class Preemptions {

  /** The search is as expensive as many plans. */
  private static final long PERIOD = Duration.ofSeconds(1).toNanos();

  /**
   * How long a claim holds after its victims have left. The next cycle places the claimant, unless
   * the driver's reading still has the memory of a victim.
   */
  private static final long AFTERWARDS = Duration.ofSeconds(5).toNanos();

  /** How much longer than its grace a victim may take, before its claim is given up. */
  private static final long LATE = Duration.ofSeconds(30).toNanos();

  /**
   * How many times more of their share users must have used than others to whom they owe places.
   * With less, tasks of two users would take places from each other in turn.
   */
  private static final double UNFAIR = 2;

  /** Maximum number of searches in a round. */
  private static final int MOST_SEARCHES = 8;

  /** A waiting task or gang for which others leave. */
  private static final class Claim {
    private final TaskClass.SchedulingKey key;
    private final JobId job;
    private final Set<AttemptId> victims;
    private final Set<String> nodes;

    /** When its victims must have left. */
    private final long until;

    /** When the last victim had left; 0 before. */
    private long freeSince;

    Claim(
        TaskClass.SchedulingKey key,
        JobId job,
        Set<AttemptId> victims,
        Set<String> nodes,
        long until) {
      this.until = until;
      this.key = key;
      this.job = job;
      this.victims = victims;
      this.nodes = nodes;
    }
  }

  private final TaskTable table;
  private final JobTransitions jobs;
  private final FairShare shares;
  private final SharingPolicy sharing;
  private final VictimCandidates victims;
  private final List<Claim> claims = new ArrayList<>();

  /** When the next round is due; null before the first. */
  private Long nextRound;

  Preemptions(
      TaskTable table,
      Profiles profiles,
      JobTransitions jobs,
      FairShare shares,
      SharingPolicy sharing) {
    this.table = table;
    this.shares = shares;
    this.sharing = sharing;
    this.victims = new VictimCandidates(table, profiles);
    this.jobs = jobs;
  }

  /** Returns the nodes of these slots. */
  Set<String> nodesOf(Collection<Long> slots) {
    return victims.nodesOf(slots);
  }

  /** Returns the claims by node, for the next plan; of a node the one of the highest priority. */
  Map<String, Snapshot.Claim> byNode(long now) {
    if (claims.isEmpty()) {
      return Map.of();
    }
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    claims.removeIf(claim -> isOver(claim, lines, now));
    Map<String, Snapshot.Claim> byNode = new HashMap<>();
    for (Claim claim : claims) {
      for (String node : claim.nodes) {
        byNode.merge(
            node,
            new Snapshot.Claim(claim.job, claim.key.priority()),
            (one, other) -> one.priority() >= other.priority() ? one : other);
      }
    }
    return byNode;
  }

  private boolean isOver(Claim claim, Map<TaskClass.SchedulingKey, TaskSet> lines, long now) {
    claim.victims.removeIf(victim -> !isThere(victim));
    if (claim.victims.isEmpty() && claim.freeSince == 0) {
      claim.freeSince = now;
    }
    return !lines.containsKey(claim.key)
        || (claim.freeSince != 0
            ? now - claim.freeSince > AFTERWARDS
            : now - claim.until > 0 || claim.victims.stream().anyMatch(this::maySlip));
  }

  /** Returns whether nobody knows when a victim will have left. */
  private boolean maySlip(AttemptId victim) {
    PlacedTask task = (PlacedTask) table.find(victim.task());
    return task.progress().silentSince() != 0 || task.isStuck();
  }

  /**
   * Returns how many waiting tasks of each class get the places of others that are leaving. They
   * start nowhere else meanwhile: no task is to leave for nothing.
   */
  Map<TaskClass.SchedulingKey, Integer> promised() {
    Map<TaskClass.SchedulingKey, Integer> promised = new HashMap<>();
    claims.forEach(claim -> promised.merge(claim.key, 1, Integer::sum));
    return promised;
  }

  /**
   * Returns the placements of a task or gang whose victims have left, on the nodes that these have
   * left; the snapshot does not show the places of a second one.
   *
   * @param snapshot of all nodes, with nothing placed since
   */
  List<Plan.Placement> fulfil(Snapshot snapshot, long now) {
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    for (Claim claim : claims) {
      TaskSet line = lines.get(claim.key);
      if (claim.freeSince == 0 || line == null) {
        continue;
      }
      TaskClass wanted = first(claim.key, line, 1);
      Plan plan = VictimSearch.planOn(claim.nodes, snapshot, wanted);
      if (plan.placements().size() == wanted.tasks().size()) {
        claims.remove(claim);
        return plan.placements();
      }
    }
    return List.of();
  }

  private boolean isThere(AttemptId victim) {
    return table.find(victim.task()) instanceof PlacedTask task
        && task.attempt() == victim.attempt();
  }

  /** Returns who has been asked to leave for tasks of this class and has not left yet. */
  Optional<WaitReason> leavingFor(TaskClass.SchedulingKey key) {
    List<TaskId> leaving = new ArrayList<>();
    for (Claim claim : claims) {
      if (claim.key.equals(key)) {
        claim.victims.stream().filter(this::isThere).map(AttemptId::task).forEach(leaving::add);
      }
    }
    return leaving.isEmpty()
        ? Optional.empty()
        : Optional.of(new WaitReason.OthersLeave(leaving.stream().sorted().distinct().toList()));
  }

  /**
   * Has running tasks leave for those that the plan could not place; at most once a second.
   *
   * @param capacity the offers without some slots
   */
  List<TaskChange> run(Snapshot snapshot, Plan plan, VictimSearch.Capacity capacity, long now) {
    if ((nextRound != null && now - nextRound < 0) || plan.waiting().isEmpty()) {
      return List.of();
    }
    nextRound = now + PERIOD;
    List<Victim> candidates = victims.candidates(now);
    if (candidates.isEmpty()) {
      return List.of();
    }
    List<TaskChange> changes = new ArrayList<>();
    int searches = 0;
    for (TaskClass.SchedulingKey key : plan.waiting().keySet()) {
      boolean found = true;
      while (found && searches < MOST_SEARCHES) {
        List<Victim> lower =
            candidates.stream().filter(victim -> mayLeaveFor(key, victim, now)).toList();
        if (lower.isEmpty()) {
          break;
        }
        searches++;
        Optional<List<Victim>> victims = search(key, snapshot, lower, capacity, now);
        found = victims.isPresent() && key.gang() == null;
        victims.ifPresent(all -> changes.addAll(claim(key, all, now)));
        candidates = this.victims.candidates(now);
      }
    }
    return changes;
  }

  private boolean mayLeaveFor(TaskClass.SchedulingKey key, Victim victim, long now) {
    if (victim.priority() != key.priority() || sharing.claims() == SharingPolicy.Claims.PRIORITY) {
      return victim.priority() < key.priority();
    }
    Map<String, Double> use = shares.useByShare(now);
    String holder = table.spec(table.find(victim.tasks().get(0))).user();
    return use.getOrDefault(holder, 0.0) > UNFAIR * use.getOrDefault(key.user(), 0.0);
  }

  /** Returns who should leave for one more task of this class; empty if none is to. */
  private Optional<List<Victim>> search(
      TaskClass.SchedulingKey key,
      Snapshot snapshot,
      List<Victim> candidates,
      VictimSearch.Capacity capacity,
      long now) {
    Map<TaskClass.SchedulingKey, Integer> wanted = new LinkedHashMap<>();
    claims.forEach(claim -> wanted.merge(claim.key, 1, Integer::sum));
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    TaskSet line = lines.get(key);
    int before = wanted.getOrDefault(key, 0);
    if (line == null || line.size() <= before || (key.gang() != null && before > 0)) {
      return Optional.empty();
    }
    wanted.remove(key);
    List<TaskClass> others = new ArrayList<>();
    wanted.forEach(
        (other, count) -> {
          if (lines.containsKey(other)) {
            others.add(first(other, lines.get(other), count));
          }
        });
    return VictimSearch.of(
            snapshot, first(key, line, before + 1), others, victims.leaving(), candidates, capacity)
        .filter(victims -> !victims.isEmpty());
  }

  /** Returns the first tasks of a class as a class; of a gang all. */
  private static TaskClass first(TaskClass.SchedulingKey key, TaskSet line, int count) {
    List<TaskId> tasks = new ArrayList<>();
    int most = key.gang() == null ? Math.min(count, line.size()) : line.size();
    TaskId next = line.first();
    while (tasks.size() < most) {
      tasks.add(next);
      next = line.higher(next);
    }
    return new TaskClass(key, TaskSet.of(tasks), 0, TaskClass.Overtaking.ALLOWED);
  }

  /**
   * Returns a class without its first tasks, which are promised places.
   *
   * @param count number of them; of a gang 1 stands for all
   */
  static TaskSet without(TaskSet line, TaskClass.SchedulingKey key, int count) {
    TaskSet others = new TaskSet();
    if (key.gang() != null || count >= line.size()) {
      return others;
    }
    TaskId next = line.first();
    for (int skipped = 0; skipped < count; skipped++) {
      next = line.higher(next);
    }
    for (; next != null; next = line.higher(next)) {
      others.add(next);
    }
    return others;
  }

  private List<TaskChange> claim(TaskClass.SchedulingKey key, List<Victim> victims, long now) {
    TaskId first = table.lines(now).get(key).first();
    Set<AttemptId> attempts = new HashSet<>();
    Set<String> nodes = new HashSet<>();
    List<TaskChange> changes = new ArrayList<>();
    for (Victim victim : victims) {
      nodes.addAll(victim.nodes());
      for (TaskId task : victim.tasks()) {
        attempts.add(table.find(task).attemptId());
        changes.addAll(jobs.preempt(task, "preempted by task " + first, now));
      }
    }
    claims.add(
        new Claim(
            key, first.job(), attempts, nodes, now + this.victims.leaveNanos(victims) + LATE));
    return changes;
  }
}
