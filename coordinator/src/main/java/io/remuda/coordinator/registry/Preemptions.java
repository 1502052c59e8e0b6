package io.remuda.coordinator.registry;

import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.order.JobStandings;
import io.remuda.coordinator.registry.order.OrderExchanges;
import io.remuda.coordinator.registry.policy.FairShareUsage;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PreemptibleTaskGroup;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.VictimSearchTurns;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks running tasks to leave their places for waiting ones of higher priority. Times are in
 * nanoseconds of the monotonic clock. Single-threaded.
 */
final class Preemptions {

  /** The search is as expensive as many plans. */
  private static final long PERIOD = Duration.ofSeconds(1).toNanos();

  /** How much longer than its grace a victim may take, before its claim is given up. */
  private static final long LATE = Duration.ofSeconds(30).toNanos();

  /** Maximum number of searches in a round. */
  private static final int MOST_SEARCHES = 8;

  /** Maximum number of claims of lower priority that are considered for a takeover. */
  private static final int MOST_TAKEOVERS = 4;

  private final TaskTable table;
  private final JobTransitions jobs;
  private final FairShareUsage shares;
  private final SchedulingSettings sharing;
  private final VictimCandidates victims;
  private final PassedJobs passed;
  private final OrderExchanges order;
  private final PlaceClaims claims;

  /** When the next round is due; null before the first. */
  private Long nextRound;

  private final VictimSearchTurns turns = new VictimSearchTurns(MOST_SEARCHES);

  Preemptions(
      TaskTable table,
      Profiles profiles,
      JobTransitions jobs,
      FairShareUsage shares,
      SchedulingSettings sharing,
      PassedJobs passed,
      JobStandings standings,
      PlaceClaims claims) {
    this.table = table;
    this.claims = claims;
    this.passed = passed;
    this.order = new OrderExchanges(sharing.order().policy(), standings, table);
    this.shares = shares;
    this.sharing = sharing;
    this.victims = new VictimCandidates(table, profiles);
    this.jobs = jobs;
  }

  /** Returns the nodes of these slots. */
  Set<String> nodesOf(Collection<Long> slots) {
    return victims.nodesOf(slots);
  }

  /**
   * Has running tasks leave for those that the plan could not place; at most once a second.
   *
   * @param capacity the offers without some slots
   */
  List<TaskChange> run(
      Snapshot snapshot,
      Plan plan,
      List<TaskClass> classes,
      VictimSearch.Capacity capacity,
      long now) {
    if ((nextRound != null && now - nextRound < 0) || plan.waiting().isEmpty()) {
      return List.of();
    }
    nextRound = now + PERIOD;
    List<PreemptibleTaskGroup> candidates = victims.candidates(now);
    if (candidates.isEmpty() && claims.areNone()) {
      return List.of();
    }
    List<TaskChange> changes = new ArrayList<>();
    int searches = 0;
    List<TaskClass.SchedulingKey> keys = forWhomOthersMayLeave(plan);
    List<TaskClass> keptFor = keptFor(plan, classes);
    for (TaskClass.SchedulingKey key : turns.inTurn(keys)) {
      boolean found = true;
      while (found && searches < MOST_SEARCHES) {
        List<PreemptibleTaskGroup> lower =
            candidates.stream().filter(victim -> mayLeaveFor(key, victim, now)).toList();
        if (lower.isEmpty() && claims.below(key).isEmpty()) {
          break;
        }
        searches++;
        turns.searched(key);
        Optional<Leavers> leavers = search(key, snapshot, lower, keptFor, capacity, now);
        found = leavers.isPresent() && key.gang() == null;
        leavers.ifPresent(all -> changes.addAll(claim(key, null, all, now)));
        candidates = this.victims.candidates(now);
      }
    }
    keys.removeAll(claims.promised());
    order
        .find(snapshot, plan, keys, classes, candidates, claims.nodes(), capacity, now)
        .ifPresent(
            one ->
                changes.addAll(
                    claim(
                        one.waiting().key(),
                        one.waiting().tasks(),
                        new Leavers(one.leaving(), one.nodes(), null),
                        now)));
    return changes;
  }

  /** Returns the waiting classes but those that a limit of their user keeps. */
  private static List<TaskClass.SchedulingKey> forWhomOthersMayLeave(Plan plan) {
    List<TaskClass.SchedulingKey> keys = new ArrayList<>(plan.waiting().keySet());
    keys.removeIf(key -> plan.waiting().get(key).get(0) instanceof WaitReason.UserLimit);
    return keys;
  }

  private boolean mayLeaveFor(TaskClass.SchedulingKey key, PreemptibleTaskGroup victim, long now) {
    if (passed.delay(victim.tasks(), key)) {
      return true;
    }
    if (victim.priority() != key.priority()
        || sharing.claims() == SchedulingSettings.Claims.PRIORITY) {
      return victim.priority() < key.priority();
    }
    String holder = table.spec(table.find(victim.tasks().get(0))).user();
    return shares.owes(holder, key.user(), now);
  }

  /**
   * Who leaves for a task or gang.
   *
   * @param asked who is to be asked
   * @param nodes where it starts then: theirs, and those that a gang has beside them
   * @param takenOver a claim of lower priority, whose victims leave for this one now; or null
   */
  private record Leavers(
      List<PreemptibleTaskGroup> asked, Set<String> nodes, PlaceClaim takenOver) {
    private static Leavers of(VictimSearch.Result found, PlaceClaim takenOver) {
      return new Leavers(found.leaving(), found.nodes(), takenOver);
    }
  }

  /** Returns who should leave for one more task of this class; empty if none is to. */
  private Optional<Leavers> search(
      TaskClass.SchedulingKey key,
      Snapshot snapshot,
      List<PreemptibleTaskGroup> candidates,
      List<TaskClass> keptFor,
      VictimSearch.Capacity capacity,
      long now) {
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    TaskSet line = lines.get(key);
    int before = claims.count(key);
    if (line == null || line.size() <= before || (key.gang() != null && before > 0)) {
      return Optional.empty();
    }
    if (table.allowed(key, line).size() <= claims.countLimitedWith(key)) {
      return Optional.empty(); // no more of its group may run, or its gang is not complete
    }
    TaskClass wanted = TaskClass.first(key, line, before + 1);
    Optional<VictimSearch.Result> beside =
        VictimSearch.of(
            snapshot,
            wanted,
            claims.ofOthers(key, null, lines),
            victims.leaving(),
            candidates,
            capacity);
    if (beside.isPresent()) {
      return beside
          .filter(found -> !found.leaving().isEmpty())
          .filter(found -> startsBeside(keptFor, wanted, found.leaving(), snapshot, capacity))
          .map(found -> Leavers.of(found, null));
    }
    return claims.below(key).stream()
        .limit(MOST_TAKEOVERS)
        .flatMap(
            lower ->
                VictimSearch.of(
                    snapshot,
                    wanted,
                    claims.ofOthers(key, lower, lines),
                    victims.leaving(),
                    candidates,
                    capacity)
                    .map(found -> Leavers.of(found, lower))
                    .stream())
        .findFirst();
  }

  /** Returns the waiting classes for which the plan may have kept capacity. */
  private static List<TaskClass> keptFor(Plan plan, List<TaskClass> classes) {
    return classes.stream()
        .filter(one -> one.overtaking() == TaskClass.Overtaking.REFUSED)
        .filter(one -> plan.waiting().containsKey(one.key()))
        .toList();
  }

  /** Returns whether the capacity that is kept for others lets one start once these have left. */
  private boolean startsBeside(
      List<TaskClass> keptFor,
      TaskClass wanted,
      List<PreemptibleTaskGroup> asked,
      Snapshot snapshot,
      VictimSearch.Capacity capacity) {
    Set<Long> slots = new HashSet<>(victims.leaving());
    asked.forEach(victim -> slots.addAll(victim.slots()));
    return VictimSearch.startsBeside(keptFor, wanted, snapshot, capacity.without(slots));
  }

  /**
   * @param named for whom they leave; null for the next of the class
   */
  private List<TaskChange> claim(
      TaskClass.SchedulingKey key, TaskSet named, Leavers leavers, long now) {
    TaskId first = named == null ? table.lines(now).get(key).first() : named.first();
    Set<AttemptId> attempts = new HashSet<>();
    Set<String> nodes = new HashSet<>(leavers.nodes());
    long leaveNanos = victims.leaveNanos(leavers.asked());
    long until = now + leaveNanos + LATE;
    if (leavers.takenOver() != null) {
      claims.remove(leavers.takenOver());
      attempts.addAll(leavers.takenOver().victims());
      nodes.addAll(leavers.takenOver().nodes());
      leaveNanos = Math.max(leaveNanos, leavers.takenOver().leaveNanos());
      until = Math.max(until, leavers.takenOver().until());
    }
    List<TaskChange> changes = new ArrayList<>();
    for (PreemptibleTaskGroup victim : leavers.asked()) {
      for (TaskId task : victim.tasks()) {
        attempts.add(table.find(task).attemptId());
        changes.addAll(jobs.leaving().preempt(task, "preempted by task " + first, now));
      }
    }
    claims.add(new PlaceClaim(key, first.job(), named, attempts, nodes, leaveNanos, until));
    return changes;
  }
}
