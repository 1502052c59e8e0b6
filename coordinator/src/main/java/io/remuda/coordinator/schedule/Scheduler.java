package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.filter.SlowPairFilter;
import io.remuda.coordinator.schedule.model.DeviceOrder;
import io.remuda.coordinator.schedule.model.FailedPlaces;
import io.remuda.coordinator.schedule.model.NodeNameOrder;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.coordinator.schedule.order.QueueOrder;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.coordinator.schedule.score.Score;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One scheduling cycle: takes the waiting tasks in {@link QueueOrder} and places each on the node
 * with the highest score among those where it fits. A task that fits nowhere is overtaken by the
 * tasks behind it; but {@linkplain ReservedCapacity capacity is reserved} for the first of these
 * that have waited too long. The tasks of a gang are all placed or none. Equal input gives an equal
 * plan.
 */
public final class Scheduler {

  /** Maximum number of slots in use: each placed task takes about 1.5 kB of the server's memory. */
  static final int MOST_PLACED = 40_000;

  private static final Predicate<WaitReason> HELD = WaitReason.HeldForOther.class::isInstance;

  /** Rank of a node on which the task has not failed before. */
  private static final int OTHER_NODE = 2;

  /** Rank of such a node with devices that nobody else uses. */
  private static final int BEST_RANK = OTHER_NODE + 1;

  private final Snapshot snapshot;
  private final QueueOrder queueOrder;
  private final RemainingClusterCapacity rooms;
  private final Map<JobId, String> lastNode;
  private final Map<JobType, TaskId> measuring;
  private final List<Plan.Placement> placements = new ArrayList<>();
  private final Map<TaskClass.SchedulingKey, List<WaitReason>> waiting = new LinkedHashMap<>();
  private final int placedBefore;
  private final UserRoom users;
  private final PlanMemory memory;
  private final PlanScores scores;
  private final ReservedCapacity reservations;
  private final LikelyEnds ends;
  private final Map<TaskId, Plan.Pass> passes = new HashMap<>();

  /** After how many milliseconds the task whose turn it is has ended; 0 if not known. */
  private long lasts;

  private SharePromises promises;
  private TaskClass.SchedulingKey next;
  private JobId ahead;

  /** That every node is kept for the job that is ahead; null until somebody is behind it. */
  private List<WaitReason> behind;

  private Scheduler(Snapshot snapshot, Collection<TaskClass> lines, PlanMemory memory) {
    this.snapshot = snapshot;
    this.memory = memory;
    this.queueOrder = new QueueOrder(lines, snapshot.use(), snapshot.shares(), snapshot.turns());
    this.rooms = memory.capacity(snapshot.nodes());
    this.lastNode = new HashMap<>(snapshot.lastNode());
    this.measuring = new HashMap<>(snapshot.measuring());
    this.users = new UserRoom(snapshot.users());
    this.reservations = new ReservedCapacity(rooms, snapshot.latestStarts(), snapshot.now());
    this.ends = new LikelyEnds(snapshot.likely());
    this.promises = snapshot.promises();
    this.placedBefore = snapshot.nodes().stream().mapToInt(NodeOffer::tasks).sum();
    this.scores = new PlanScores(snapshot.mix(), rooms, memory, placedBefore);
  }

  /** Returns the plan: which of the waiting tasks start on which nodes. */
  public static Plan plan(Snapshot snapshot, Collection<TaskClass> lines) {
    return plan(snapshot, lines, new PlanMemory());
  }

  /** Returns the same plan, with what is known from plans before. */
  static Plan plan(Snapshot snapshot, Collection<TaskClass> lines, PlanMemory memory) {
    Scheduler cycle = new Scheduler(snapshot, lines, memory);
    cycle.run();
    return new Plan(cycle.placements, cycle.waiting, cycle.lastNode, cycle.next, cycle.passes);
  }

  private void run() {
    for (Optional<Turn> turn = queueOrder.next(); turn.isPresent(); turn = queueOrder.next()) {
      Turn one = turn.get();
      if (snapshot.turns() == OrderPolicy.Turns.STRICT && ahead != null) {
        behind = behind == null ? behind(ahead) : behind;
        waiting.put(one.line().key(), behind);
        queueOrder.blocked(one);
        continue;
      }
      Optional<WaitReason> twin = twin(one.line().key()).or(() -> overLimit(one));
      if (twin.isPresent()) {
        waiting.put(one.line().key(), List.of(twin.get()));
        queueOrder.blocked(one);
        continue; // not for lack of capacity, so no reservation
      }
      lasts = ends.millis(one);
      reservations.isTurnOf(one, lasts);
      List<WaitReason> reasons = place(one);
      if (!reasons.isEmpty()) {
        block(one, reasons);
      }
    }
  }

  /** Returns why a task of an unmeasured type must wait: another task of the type is measured. */
  private Optional<WaitReason> twin(TaskClass.SchedulingKey key) {
    TaskId first = key.isMeasured() ? measuring.get(key.type()) : null;
    return first == null
        ? Optional.empty()
        : Optional.of(new WaitReason.TypeMeasured(key.type().name(), first));
  }

  /** Returns which limit of its user the turn's task, or its gang, would exceed. */
  private Optional<WaitReason> overLimit(Turn turn) {
    return snapshot.users().isEmpty()
        ? Optional.empty()
        : users.refusal(turn.line().key().account(), needs(turn));
  }

  private static List<ResourceRequest> needs(Turn turn) {
    TaskClass.SchedulingKey key = turn.line().key();
    return key.gang() == null
        ? List.of(key.needs())
        : turn.line().tasks().stream().map(key::needs).toList();
  }

  /** Places the turn's tasks; returns why they must wait, or an empty list. */
  private List<WaitReason> place(Turn turn) {
    boolean gang = turn.line().key().gang() != null;
    int more = gang ? turn.line().tasks().size() : 1;
    if (placedBefore + placements.size() + more > MOST_PLACED) {
      return List.of(new WaitReason.TooManyPlaced(MOST_PLACED));
    }
    return gang ? placeGang(turn) : placeOne(turn);
  }

  private List<WaitReason> placeOne(Turn turn) {
    List<List<WaitReason>> reasons = new ArrayList<>();
    TaskClass.SchedulingKey key = turn.line().key();
    for (ResourceRequest needs : key.needs().alternatives()) {
      List<WaitReason> lacks = new ArrayList<>();
      Optional<RemainingNodeCapacity> best =
          besideKnown(turn.task(), needs, key).or(() -> best(turn.task(), needs, key, lacks));
      if (best.isPresent()) {
        take(turn.task(), key, needs, best.get());
        queueOrder.placed(turn);
        users.take(key.account(), List.of(needs));
        return List.of();
      }
      reasons.add(lacks);
    }
    if (key.isMeasured() && placeGuessed(turn)) {
      return List.of();
    }
    return reasons.get(0).isEmpty()
        ? List.of(new WaitReason.NoNodes())
        : FitCheck.together(reasons, key.needs());
  }

  /**
   * Returns the best node for a task with a promise if no pair of types has to be tried there that
   * is not known; empty for other tasks.
   */
  private Optional<RemainingNodeCapacity> besideKnown(
      TaskId task, ResourceRequest needs, TaskClass.SchedulingKey key) {
    if (needs.shareIf() == 0 || key.type() == null || !needs.gpuShare().isShared()) {
      return Optional.empty();
    }
    Set<JobType> there = new HashSet<>();
    rooms.all().forEach(node -> there.addAll(node.typesBeside(needs)));
    Map<JobType, Integer> apart = promises.untried(key.type(), there);
    apart.putAll(snapshot.slowWith(key, promises));
    return best(task, needs, key, new SlowPairFilter(apart), new ArrayList<>());
  }

  /** Places a task of a type that is not measured beside others, with a guess of its needs. */
  private boolean placeGuessed(Turn turn) {
    TaskClass.SchedulingKey key = turn.line().key();
    for (ResourceRequest asked : key.needs().alternatives()) {
      long largest = 0;
      for (RemainingNodeCapacity node : rooms.all()) {
        largest = Math.max(largest, node.largestGpu(asked));
      }
      OptionalLong promise = snapshot.firstRuns().promise(asked, largest);
      if (promise.isPresent()) {
        ResourceRequest needs = asked.withGpuMemory(promise.getAsLong());
        Optional<RemainingNodeCapacity> best = best(turn.task(), needs, key, new ArrayList<>());
        if (best.isPresent()) {
          take(turn.task(), key, needs, best.get());
          queueOrder.placed(turn);
          users.take(key.account(), List.of(needs));
          return true;
        }
      }
    }
    return false;
  }

  /** Places all tasks of a gang or none. */
  private List<WaitReason> placeGang(Turn turn) {
    TaskClass.SchedulingKey key = turn.line().key();
    String last = lastNode.get(turn.task().job());
    SlowPairFilter company = new SlowPairFilter(snapshot.slowWith(key, promises));
    FailedPlaces failed = snapshot.failed(turn.line().tasks());
    GangPlacement.Outcome outcome = null;
    for (List<RemainingNodeCapacity> nodes : preferred(failed)) {
      outcome =
          new GangPlacement(
                  key.gang(),
                  key.needs(),
                  GangPlacement.Style.of(key.policy()),
                  key.type(),
                  nodes.stream().map(company::leftOf).toList(),
                  new GangRules(key, company))
              .place(List.copyOf(turn.line().tasks()));
      if (outcome.reasons().isEmpty()) {
        break;
      }
      lastNode.compute(turn.task().job(), (job, node) -> last);
    }
    if (!outcome.reasons().isEmpty()) {
      return outcome.reasons(turn.line().tasks().size());
    }
    for (GangPlacement.Member member : outcome.members()) {
      noteMeasured(member.task(), key);
      promises = promises.alsoTo(key.type(), key.needs(member.task()).shareIf());
      placements.add(new Plan.Placement(member.task(), member.node().name(), member.devices()));
    }
    users.take(key.account(), needs(turn));
    queueOrder.placedAll(turn);
    return List.of();
  }

  /**
   * Returns the nodes to try for a gang, all of them last: before that those on which no member has
   * failed, then all, in both cases without devices that strangers use or that have failed.
   */
  private List<List<RemainingNodeCapacity>> preferred(FailedPlaces failed) {
    List<RemainingNodeCapacity> all = List.copyOf(rooms.all());
    List<RemainingNodeCapacity> good =
        all.stream().map(node -> node.withGoodGpus(failed.devices())).toList();
    if (good.equals(all)) {
      return List.of(all);
    }
    return failed.nodes().isEmpty()
        ? List.of(good, all)
        : List.of(
            good.stream().filter(node -> !failed.nodes().contains(node.name())).toList(),
            good,
            all);
  }

  /** What this cycle allows the members of a gang. */
  private final class GangRules implements GangPlacement.Rules {
    private final TaskClass.SchedulingKey key;
    private final SlowPairFilter company;

    private GangRules(TaskClass.SchedulingKey key, SlowPairFilter company) {
      this.key = key;
      this.company = company;
    }

    @Override
    public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
      return Scheduler.this.refusal(node, needs, key, company);
    }

    @Override
    public Optional<RemainingNodeCapacity> next(TaskId member, ResourceRequest needs) {
      Optional<RemainingNodeCapacity> node = best(member, needs, key, new ArrayList<>());
      node.ifPresent(chosen -> placed(member, chosen));
      return node;
    }

    @Override
    public void placed(TaskId member, RemainingNodeCapacity node) {
      if (key.policy() == PlacementPolicy.ROUND_ROBIN) {
        lastNode.put(member.job(), node.name());
      }
    }
  }

  private void block(Turn turn, List<WaitReason> reasons) {
    TaskClass taskClass = turn.line();
    if (waiting.putIfAbsent(taskClass.key(), reasons) == null
        && taskClass.overtaking() == TaskClass.Overtaking.REFUSED) {
      reservations.keep(
          count -> mayStart(taskClass.key(), count),
          new SlowPairFilter(snapshot.slowWith(taskClass.key(), promises)));
    }
    next = next == null ? taskClass.key() : next;
    ahead = ahead == null ? turn.task().job() : ahead;
    Optional<TaskId> shorter =
        reasons.stream().anyMatch(HELD) ? ends.shorter(turn, lasts) : Optional.empty();
    if (shorter.isPresent()) {
      queueOrder.skipped(turn, shorter.get());
    } else {
      queueOrder.blocked(turn);
    }
  }

  /** Returns whether so many tasks of a class may start at once, if there is room. */
  private boolean mayStart(TaskClass.SchedulingKey key, int count) {
    return !key.isMeasured()
        && users.refusal(key.account(), Collections.nCopies(count, key.needs())).isEmpty();
  }

  /** Returns that every node is kept for the job that is ahead. */
  private List<WaitReason> behind(JobId ahead) {
    return rooms.all().stream()
        .map(room -> (WaitReason) new WaitReason.HeldForOther(room.name(), ahead))
        .toList();
  }

  /** Returns the best node for a task, or empty after adding a reason for each node. */
  private Optional<RemainingNodeCapacity> best(
      TaskId task, ResourceRequest needs, TaskClass.SchedulingKey key, List<WaitReason> reasons) {
    return best(task, needs, key, new SlowPairFilter(snapshot.slowWith(key, promises)), reasons);
  }

  private Optional<RemainingNodeCapacity> best(
      TaskId task,
      ResourceRequest needs,
      TaskClass.SchedulingKey key,
      SlowPairFilter company,
      List<WaitReason> reasons) {
    RemainingNodeCapacity best = null;
    int bestRank = 0;
    double highest = 0;
    FailedPlaces failed = snapshot.failed(List.of(task));
    Score score = score(key.policy());
    Collection<RemainingNodeCapacity> candidates = candidates(task, key);
    FitRows.Row row = candidates == rooms.all() ? memory.fits().of(needs, candidates.size()) : null;
    int position = -1;
    for (RemainingNodeCapacity node : candidates) {
      position++;
      Optional<WaitReason> lack =
          row == null ? FitCheck.refusal(node, needs) : row.refusal(position, node, needs);
      Optional<WaitReason> no = refusal(lack, node, needs, key, company);
      if (no.isPresent()) {
        reasons.add(no.get());
        continue;
      }
      RemainingNodeCapacity room = company.leftOf(node);
      int rank = rank(room, needs, failed);
      if (key.policy() == PlacementPolicy.ROUND_ROBIN && rank == BEST_RANK) {
        return Optional.of(room);
      }
      if (best != null && rank < bestRank) {
        continue;
      }
      double one = score.of(room, needs);
      if (best == null || rank > bestRank || one > highest) {
        best = room;
        bestRank = rank;
        highest = one;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the score of a policy as things are now. */
  private Score score(PlacementPolicy policy) {
    return scores.of(policy, placements.size());
  }

  private Optional<WaitReason> refusal(
      RemainingNodeCapacity room,
      ResourceRequest needs,
      TaskClass.SchedulingKey key,
      SlowPairFilter company) {
    return refusal(FitCheck.refusal(room, needs), room, needs, key, company);
  }

  private Optional<WaitReason> refusal(
      Optional<WaitReason> lack,
      RemainingNodeCapacity room,
      ResourceRequest needs,
      TaskClass.SchedulingKey key,
      SlowPairFilter company) {
    if (lack.isPresent()) {
      return lack.map(one -> reservations.reason(one, room, needs));
    }
    Snapshot.Claim claim = snapshot.claims().get(room.name());
    if (claim != null && claim.priority() >= key.priority()) {
      return Optional.of(new WaitReason.HeldForOther(room.name(), claim.job()));
    }
    Optional<WaitReason> no = company.refusal(room, needs);
    return no.or(() -> reservations.refusal(room, needs));
  }

  /** Returns a number that is higher for devices that are to be preferred, whatever the policy. */
  private static int rank(RemainingNodeCapacity room, ResourceRequest needs, FailedPlaces failed) {
    if (needs.gpus() == 0) {
      return BEST_RANK;
    }
    int good = room.hasGoodGpusFor(needs, failed.devices()) ? 1 : 0;
    return failed.nodes().contains(room.name()) ? good : OTHER_NODE + good;
  }

  /** Returns all nodes; for a round-robin job, the nodes after its last one first. */
  private Collection<RemainingNodeCapacity> candidates(TaskId task, TaskClass.SchedulingKey key) {
    String last = lastNode.get(task.job());
    if (key.policy() != PlacementPolicy.ROUND_ROBIN || last == null) {
      return rooms.all();
    }
    List<RemainingNodeCapacity> first = new ArrayList<>(rooms.all().size());
    List<RemainingNodeCapacity> after = new ArrayList<>();
    for (RemainingNodeCapacity room : rooms.all()) {
      (isAfter(room, last) ? first : after).add(room);
    }
    first.addAll(after);
    return first;
  }

  private static boolean isAfter(RemainingNodeCapacity room, String last) {
    return NodeNameOrder.ORDER.compare(room.name(), last) > 0;
  }

  private void take(
      TaskId task, TaskClass.SchedulingKey key, ResourceRequest needs, RemainingNodeCapacity room) {
    if (lasts != key.timeLimitMillis()) {
      reservations
          .delayed(room, needs, key.timeLimitMillis())
          .ifPresent(job -> passes.put(task, new Plan.Pass(job, lasts)));
    }
    FailedPlaces failed = snapshot.failed(List.of(task));
    Optional<DeviceId> chosen = score(key.policy()).device(room, needs);
    List<DeviceId> devices =
        room.take(needs, key.type(), DeviceOrder.of(key.policy(), failed.devices(), chosen));
    if (key.policy() == PlacementPolicy.ROUND_ROBIN) {
      lastNode.put(task.job(), room.name());
    }
    noteMeasured(task, key);
    reservations.isPlaced(task);
    promises = promises.alsoTo(key.type(), needs.shareIf());
    long guessed = key.isMeasured() ? needs.gpuShare().promisedBytes() : 0;
    placements.add(new Plan.Placement(task, room.name(), devices, guessed));
  }

  private void noteMeasured(TaskId task, TaskClass.SchedulingKey key) {
    if (key.isMeasured()) {
      measuring.put(key.type(), task);
    }
  }
}
