package io.remuda.coordinator.registry;

import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The places of tasks that are leaving, kept from tasks of lower priority than that for which they
 * leave. Times are in nanoseconds of the monotonic clock. Single-threaded.
 */
final class PlaceClaims {

  /** How long a claim holds after its victims have left, since a driver's reading may be late. */
  private static final long AFTERWARDS = Duration.ofSeconds(5).toNanos();

  /**
   * For whom others leave within this time waits for them, so that nobody leaves for nothing. Only
   * epochs take longer, and long graces.
   */
  private static final long LONG = Duration.ofMinutes(1).toNanos();

  private static final Comparator<PlaceClaim> LOWEST_FIRST =
      Comparator.comparingInt(PlaceClaim::priority);

  private final TaskTable table;

  /** Those of the highest priority first. */
  private final List<PlaceClaim> claims = new ArrayList<>();

  PlaceClaims(TaskTable table) {
    this.table = table;
  }

  void add(PlaceClaim claim) {
    claims.add(claim);
    claims.sort(LOWEST_FIRST.reversed());
  }

  void remove(PlaceClaim claim) {
    claims.remove(claim);
  }

  boolean areNone() {
    return claims.isEmpty();
  }

  /** Returns the number of claims of a class. */
  int count(TaskClass.SchedulingKey key) {
    return (int) claims.stream().filter(claim -> claim.key().equals(key)).count();
  }

  /** Returns the number of claims that count for the same limit as tasks of a class. */
  long countLimitedWith(TaskClass.SchedulingKey key) {
    return claims.stream().filter(claim -> key.isLimitedWith(claim.key())).count();
  }

  /** Returns the claims of lower priority than a class, the lowest first. */
  List<PlaceClaim> below(TaskClass.SchedulingKey key) {
    return claims.stream()
        .filter(claim -> claim.priority() < key.priority())
        .sorted(LOWEST_FIRST)
        .toList();
  }

  /**
   * Returns the nodes that are kept by claims, for the next plan; of a node the claim of the
   * highest priority. A node is not kept as long as those that are leaving will give back all that
   * the task needs: what else is free there is for anybody.
   *
   * @param offers of the nodes
   * @param without returns the offers as they will be without some slots
   */
  Map<String, Snapshot.Claim> byNode(
      List<NodeOffer> offers, Function<Set<Long>, List<NodeOffer>> without, long now) {
    if (claims.isEmpty()) {
      return Map.of();
    }
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    claims.removeIf(claim -> isOver(claim, lines, now));
    Map<String, Snapshot.Claim> byNode = new HashMap<>();
    for (PlaceClaim claim : claims) {
      if (isCovered(claim, offers, without)) {
        continue;
      }
      for (String node : claim.nodes()) {
        byNode.merge(
            node,
            new Snapshot.Claim(claim.job(), claim.priority()),
            (one, other) -> one.priority() >= other.priority() ? one : other);
      }
    }
    return byNode;
  }

  /** Returns the nodes on which tasks start for which others leave. */
  Set<String> nodes() {
    Set<String> nodes = new HashSet<>();
    claims.forEach(claim -> nodes.addAll(claim.nodes()));
    return nodes;
  }

  /** Returns whether those that have not left yet give back all that the task needs. */
  private boolean isCovered(
      PlaceClaim claim, List<NodeOffer> offers, Function<Set<Long>, List<NodeOffer>> without) {
    ResourceRequest needs = claim.key().needs();
    boolean isPlain =
        claim.key().gang() == null
            && claim.nodes().size() == 1
            && needs.bound() == null
            && needs.gpuModel() == null
            && !needs.gpuShare().isShared()
            && needs.alternatives().size() == 1
            && needs.nodeNeeds().counted().isEmpty();
    if (claim.isFree() || !isPlain) {
      return false;
    }
    Set<Long> slots = new HashSet<>();
    for (AttemptId victim : claim.victims()) {
      slots.add(((PlacedTask) table.find(victim.task())).place().slot());
    }
    Optional<NodeOffer> now = on(claim, offers);
    Optional<NodeOffer> then = on(claim, without.apply(slots));
    return now.isPresent()
        && then.isPresent()
        && then.get().cpus().free() - now.get().cpus().free() >= needs.milliCpus()
        && then.get().memory().free() - now.get().memory().free() >= needs.memory()
        && wholeGpus(then.get()) - wholeGpus(now.get()) >= needs.gpus();
  }

  private static Optional<NodeOffer> on(PlaceClaim claim, List<NodeOffer> offers) {
    return offers.stream().filter(one -> claim.nodes().contains(one.node())).findFirst();
  }

  private static long wholeGpus(NodeOffer node) {
    return node.devices().stream()
        .filter(one -> one.standing() == DeviceOffer.Standing.FREE && !one.slice())
        .count();
  }

  private boolean isOver(PlaceClaim claim, Map<TaskClass.SchedulingKey, TaskSet> lines, long now) {
    claim.look(this::isThere, now);
    return claim.wanted(lines.get(claim.key())) == null
        || (claim.isFree()
            ? claim.freeFor(now) > AFTERWARDS
            : now - claim.until() > 0 || claim.victims().stream().anyMatch(this::maySlip));
  }

  private boolean isThere(AttemptId victim) {
    return table.find(victim.task()) instanceof PlacedTask task
        && task.attempt() == victim.attempt();
  }

  /** Returns whether nobody knows when a victim will have left. */
  private boolean maySlip(AttemptId victim) {
    PlacedTask task = (PlacedTask) table.find(victim.task());
    return task.progress().silentSince() != 0 || task.isStuck();
  }

  /** Returns the classes of which tasks get the places of others that are leaving. */
  Set<TaskClass.SchedulingKey> promised() {
    Set<TaskClass.SchedulingKey> promised = new HashSet<>();
    claims.forEach(claim -> promised.add(claim.key()));
    return promised;
  }

  /**
   * Returns the waiting tasks of a class but those that get the places of others that are leaving.
   */
  TaskSet others(TaskClass.SchedulingKey key, TaskSet line) {
    TaskSet others = line;
    int next = 0;
    for (PlaceClaim claim : claims) {
      if (claim.key().equals(key) && claim.named() == null) {
        next++;
      } else if (claim.key().equals(key)) {
        others = others == line ? TaskSet.of(line) : others;
        claim.named().forEach(others::remove);
      }
    }
    return next == 0 || others.isEmpty() ? others : TaskClass.rest(key, others, next);
  }

  /**
   * Returns the tasks of other classes for which others are leaving.
   *
   * @param without a claim that does not count, or null
   */
  List<TaskClass> ofOthers(
      TaskClass.SchedulingKey key,
      PlaceClaim without,
      Map<TaskClass.SchedulingKey, TaskSet> lines) {
    Map<TaskClass.SchedulingKey, Integer> counts = new LinkedHashMap<>();
    for (PlaceClaim claim : claims) {
      if (claim != without && !claim.key().equals(key)) {
        counts.merge(claim.key(), 1, Integer::sum);
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
   * Returns the placements of a task or gang whose victims have left, on the nodes of its claim;
   * the snapshot does not show the places of a second one. None if a task of higher priority that
   * has come meanwhile takes the place.
   *
   * @param snapshot of all nodes, with nothing placed since
   */
  List<Plan.Placement> fulfil(Snapshot snapshot, long now) {
    Map<TaskClass.SchedulingKey, TaskSet> lines = table.lines(now);
    for (PlaceClaim claim : claims) {
      TaskSet line = lines.get(claim.key());
      TaskClass wanted = claim.wanted(line);
      if (!claim.isFree() || wanted == null || table.allowed(claim.key(), line).isEmpty()) {
        continue;
      }
      List<TaskClass> contenders = higher(claim.priority(), lines);
      contenders.add(wanted);
      List<Plan.Placement> placements =
          VictimSearch.planOn(claim.nodes(), snapshot, contenders).placements().stream()
              .filter(placement -> wanted.tasks().contains(placement.task()))
              .toList();
      if (placements.size() == wanted.tasks().size()) {
        claims.remove(claim);
        return placements;
      }
    }
    return List.of();
  }

  /** Returns whether others are still leaving for some task, and may take long. */
  boolean areLong() {
    return claims.stream().anyMatch(PlaceClaims::isLong);
  }

  private static boolean isLong(PlaceClaim claim) {
    return !claim.isFree() && claim.leaveNanos() > LONG;
  }

  /**
   * Returns, by claim, the placements of tasks and gangs for which others take long to leave, as to
   * the end of an epoch, and which would start elsewhere before that.
   *
   * @param plan of all who wait, these among them
   */
  Map<PlaceClaim, List<Plan.Placement>> elsewhere(Plan plan, long now) {
    Map<TaskId, Plan.Placement> places = new HashMap<>();
    plan.placements().forEach(one -> places.put(one.task(), one));
    Map<TaskClass.SchedulingKey, TaskSet> left = new HashMap<>();
    Map<PlaceClaim, List<Plan.Placement>> elsewhere = new LinkedHashMap<>();
    for (PlaceClaim claim : claims) {
      TaskSet line = table.lines(now).get(claim.key());
      if (!isLong(claim) || line == null) {
        continue;
      }
      TaskSet others = left.computeIfAbsent(claim.key(), any -> TaskSet.of(line));
      TaskClass wanted = others.isEmpty() ? null : claim.wanted(others);
      if (wanted != null && places.keySet().containsAll(wanted.tasks())) {
        List<TaskId> tasks = List.copyOf(wanted.tasks());
        elsewhere.put(claim, tasks.stream().map(places::get).toList());
        tasks.forEach(others::remove); // the next claim of its class is for the next task
      }
    }
    return elsewhere;
  }

  /** Removes those of these claims whose tasks have places. */
  void removePlaced(Map<PlaceClaim, List<Plan.Placement>> some) {
    some.forEach(
        (claim, places) -> {
          if (places.stream().allMatch(one -> table.find(one.task()) instanceof PlacedTask)) {
            claims.remove(claim);
          }
        });
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

  /** Returns who has been asked to leave for tasks of this class and has not left yet. */
  Optional<WaitReason> leavingFor(TaskClass.SchedulingKey key) {
    List<TaskId> leaving = new ArrayList<>();
    long nanos = 0;
    for (PlaceClaim claim : claims) {
      if (claim.key().equals(key)) {
        claim.victims().stream().filter(this::isThere).map(AttemptId::task).forEach(leaving::add);
        nanos = Math.max(nanos, claim.leaveNanos());
      }
    }
    List<TaskId> inOrder = leaving.stream().sorted().distinct().toList();
    return leaving.isEmpty()
        ? Optional.empty()
        : Optional.of(new WaitReason.OthersLeave(inOrder, nanos / 1_000_000_000));
  }
}
