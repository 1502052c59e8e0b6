package io.remuda.coordinator.registry;

import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.order.JobStandings;
import io.remuda.coordinator.registry.order.OrderExchanges;
import io.remuda.coordinator.registry.policy.FairShareUsage;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.PlacedTask;
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
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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

  /** How long a claim holds after its victims have left, since a driver's reading may be late. */
  private static final long AFTERWARDS = Duration.ofSeconds(5).toNanos();

  /** How much longer than its grace a victim may take, before its claim is given up. */
  private static final long LATE = Duration.ofSeconds(30).toNanos();

  /** Maximum number of searches in a round. */
  private static final int MOST_SEARCHES = 8;

  /** Maximum number of claims of lower priority that are considered for a takeover. */
  private static final int MOST_TAKEOVERS = 4;

  /** A waiting task or gang for which others leave. */
  private static final class Claim {
    private final TaskClass.SchedulingKey key;
    private final JobId job;

    /** The task or gang that gets the place; null if it is the next one of its class. */
    private final TaskSet named;

    private final Set<AttemptId> victims;
    private final Set<String> nodes;

    /** How long its victims may take to leave. */
    private final long leaveNanos;

    /** When its victims must have left. */
    private final long until;

    /** When the last victim had left; 0 before. */
    private long freeSince;

    Claim(
        TaskClass.SchedulingKey key,
        JobId job,
        TaskSet named,
        Set<AttemptId> victims,
        Set<String> nodes,
        long leaveNanos,
        long until) {
      this.leaveNanos = leaveNanos;
      this.until = until;
      this.key = key;
      this.job = job;
      this.named = named;
      this.victims = victims;
      this.nodes = nodes;
    }

    /** Returns for whom the place is, of the waiting tasks of its class; null if nobody waits. */
    private TaskClass wanted(TaskSet line) {
      boolean waits = line != null && (named == null || line.containsAll(named));
      return !waits
          ? null
          : named == null
              ? TaskClass.first(key, line, 1)
              : new TaskClass(key, named, 0, TaskClass.Overtaking.ALLOWED);
    }
  }

  private static final Comparator<Claim> HIGHEST_FIRST =
      Comparator.comparingInt((Claim claim) -> claim.key.priority()).reversed();

  private final TaskTable table;
  private final JobTransitions jobs;
  private final FairShareUsage shares;
  private final SchedulingSettings sharing;
  private final VictimCandidates victims;
  private final PassedJobs passed;
  private final OrderExchanges order;
  private final List<Claim> claims = new ArrayList<>();

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
      JobStandings standings) {
    this.table = table;
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
    return claim.wanted(lines.get(claim.key)) == null
        || (claim.freeSince != 0
            ? now - claim.freeSince > AFTERWARDS
            : now - claim.until > 0 || claim.victims.stream().anyMatch(this::maySlip));
  }

  /** Returns whether nobody knows when a victim will have left. */
  private boolean maySlip(AttemptId victim) {
    PlacedTask task = (PlacedTask) table.find(victim.task());
    return task.progress().silentSince() != 0 || task.isStuck();
  }

  /** Returns the classes of which tasks get the places of others that are leaving. */
  Set<TaskClass.SchedulingKey> promised() {
    Set<TaskClass.SchedulingKey> promised = new HashSet<>();
    claims.forEach(claim -> promised.add(claim.key));
    return promised;
  }

  /**
   * Returns the waiting tasks of a class but those that get the places of others that are leaving.
   * These start nowhere else meanwhile: no task is to leave for nothing.
   */
  TaskSet others(TaskClass.SchedulingKey key, TaskSet line) {
    TaskSet others = line;
    int next = 0;
    for (Claim claim : claims) {
      if (claim.key.equals(key) && claim.named == null) {
        next++;
      } else if (claim.key.equals(key)) {
        others = others == line ? TaskSet.of(line) : others;
        claim.named.forEach(others::remove);
      }
    }
    return next == 0 || others.isEmpty() ? others : TaskClass.rest(key, others, next);
  }

  /**
   * Returns the placements of a task or gang whose victims have left, on the nodes that these have
   * left; the snapshot does not show the places of a second one. None if a task of higher priority
   * that has come meanwhile takes the place.
   *
   * @param snapshot of all nodes, with nothing placed since
   */
  List<Plan.Placement> fulfil(Snapshot snapshot, long now) {
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    for (Claim claim : claims) {
      TaskSet line = lines.get(claim.key);
      TaskClass wanted = claim.wanted(line);
      if (claim.freeSince == 0 || wanted == null || table.allowed(claim.key, line).isEmpty()) {
        continue;
      }
      List<TaskClass> contenders = higher(claim.key.priority(), lines);
      contenders.add(wanted);
      List<Plan.Placement> placements =
          VictimSearch.planOn(claim.nodes, snapshot, contenders).placements().stream()
              .filter(placement -> wanted.tasks().contains(placement.task()))
              .toList();
      if (placements.size() == wanted.tasks().size()) {
        claims.remove(claim);
        return placements;
      }
    }
    return List.of();
  }

  /** Returns the waiting tasks of higher priority for which no others leave. */
  private List<TaskClass> higher(int priority, Map<TaskClass.SchedulingKey, TaskSet> lines) {
    List<TaskClass> higher = new ArrayList<>();
    lines.forEach(
        (key, line) -> {
          TaskSet others = others(key, line);
          TaskSet allowed = others.isEmpty() ? others : table.allowed(key, others);
          if (key.priority() > priority && !allowed.isEmpty()) {
            higher.add(new TaskClass(key, allowed, 0, TaskClass.Overtaking.ALLOWED));
          }
        });
    return higher;
  }

  private boolean isThere(AttemptId victim) {
    return table.find(victim.task()) instanceof PlacedTask task
        && task.attempt() == victim.attempt();
  }

  /** Returns who has been asked to leave for tasks of this class and has not left yet. */
  Optional<WaitReason> leavingFor(TaskClass.SchedulingKey key) {
    List<TaskId> leaving = new ArrayList<>();
    long nanos = 0;
    for (Claim claim : claims) {
      if (claim.key.equals(key)) {
        claim.victims.stream().filter(this::isThere).map(AttemptId::task).forEach(leaving::add);
        nanos = Math.max(nanos, claim.leaveNanos);
      }
    }
    List<TaskId> inOrder = leaving.stream().sorted().distinct().toList();
    return leaving.isEmpty()
        ? Optional.empty()
        : Optional.of(new WaitReason.OthersLeave(inOrder, nanos / 1_000_000_000));
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
    if (candidates.isEmpty() && claims.isEmpty()) {
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
        if (lower.isEmpty() && claims.stream().noneMatch(claim -> isBelow(claim, key))) {
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
    keys.removeAll(promised());
    order
        .find(snapshot, plan, keys, classes, candidates, byNode(now).keySet(), capacity, now)
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

  private static boolean isBelow(Claim claim, TaskClass.SchedulingKey key) {
    return claim.key.priority() < key.priority();
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
  private record Leavers(List<PreemptibleTaskGroup> asked, Set<String> nodes, Claim takenOver) {
    private static Leavers of(VictimSearch.Result found, Claim takenOver) {
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
    int before = (int) claims.stream().filter(claim -> claim.key.equals(key)).count();
    if (line == null || line.size() <= before || (key.gang() != null && before > 0)) {
      return Optional.empty();
    }
    long promised = claims.stream().filter(claim -> key.isLimitedWith(claim.key)).count();
    if (table.allowed(key, line).size() <= promised) {
      return Optional.empty(); // no more of its group may run, or its gang is not complete
    }
    TaskClass wanted = TaskClass.first(key, line, before + 1);
    Optional<VictimSearch.Result> beside =
        VictimSearch.of(
            snapshot, wanted, claimed(key, null, lines), victims.leaving(), candidates, capacity);
    if (beside.isPresent()) {
      return beside
          .filter(found -> !found.leaving().isEmpty())
          .filter(found -> startsBeside(keptFor, wanted, found.leaving(), snapshot, capacity))
          .map(found -> Leavers.of(found, null));
    }
    return claims.stream()
        .filter(claim -> isBelow(claim, key))
        .sorted(Comparator.comparingInt((Claim claim) -> claim.key.priority()))
        .limit(MOST_TAKEOVERS)
        .flatMap(
            lower ->
                VictimSearch.of(
                    snapshot,
                    wanted,
                    claimed(key, lower, lines),
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
   * Returns the tasks of other classes for which others are leaving.
   *
   * @param without a claim that does not count, or null
   */
  private List<TaskClass> claimed(
      TaskClass.SchedulingKey key, Claim without, Map<TaskClass.SchedulingKey, TaskSet> lines) {
    Map<TaskClass.SchedulingKey, Integer> counts = new LinkedHashMap<>();
    for (Claim claim : claims) {
      if (claim != without && !claim.key.equals(key)) {
        counts.merge(claim.key, 1, Integer::sum);
      }
    }
    List<TaskClass> claimed = new ArrayList<>();
    counts.forEach(
        (other, count) -> {
          if (lines.containsKey(other)) {
            claimed.add(TaskClass.first(other, lines.get(other), count));
          }
        });
    return claimed;
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
      attempts.addAll(leavers.takenOver().victims);
      nodes.addAll(leavers.takenOver().nodes);
      leaveNanos = Math.max(leaveNanos, leavers.takenOver().leaveNanos);
      until = Math.max(until, leavers.takenOver().until);
    }
    List<TaskChange> changes = new ArrayList<>();
    for (PreemptibleTaskGroup victim : leavers.asked()) {
      for (TaskId task : victim.tasks()) {
        attempts.add(table.find(task).attemptId());
        changes.addAll(jobs.leaving().preempt(task, "preempted by task " + first, now));
      }
    }
    claims.add(new Claim(key, first.job(), named, attempts, nodes, leaveNanos, until));
    claims.sort(HIGHEST_FIRST);
    return changes;
  }
}
