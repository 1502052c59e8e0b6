package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.forecast.StartForecasts;
import io.remuda.coordinator.registry.order.JobStandings;
import io.remuda.coordinator.registry.order.RankedClasses;
import io.remuda.coordinator.registry.policy.FailingNodes;
import io.remuda.coordinator.registry.policy.FairShareUsage;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.policy.ServerEndTime;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.CycleTimes;
import io.remuda.coordinator.schedule.FirstRuns;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PlanMemory;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Runs scheduling cycles: makes a plan from the task classes and the nodes' offers, and applies it.
 * Single-threaded.
 */
final class PlacementCycle {

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final FairShareUsage shares;
  private final SchedulingSettings sharing;
  private final ShortTaskQueues shortTasks;
  private final OfferCache offers;
  private final Profiles profiles;
  private final FailingNodes failingNodes;
  private final PassedJobs passed;
  private final PlaceClaims claims;
  private final Preemptions preemptions;
  private final ElasticTrainingScaler trainings;
  private final SharePromiseKeeper promises;
  private final GangRendezvousPlanner gangStarts;
  private final StartForecasts forecasts;
  private final RecentDurations durations;
  private final JobStandings standings;
  private final RankedClasses ranked;
  private final PlanMemory memory = new PlanMemory();
  private Map<JobId, String> lastNode = new HashMap<>();
  private Plan lastPlan = new Plan(List.of(), Map.of(), Map.of(), null);
  private long lastSlot;
  private ServerEndTime serverEnd = ServerEndTime.NEVER;
  private long plannedAt;
  private List<NodeOffer> offered = List.of();

  PlacementCycle(
      TaskTable table,
      TaskTransitions transitions,
      FairShareUsage shares,
      SchedulingSettings sharing,
      RecentDurations durations,
      OfferCache offers,
      Profiles profiles,
      FailingNodes failingNodes) {
    this.table = table;
    this.transitions = transitions;
    this.shares = shares;
    this.sharing = sharing;
    this.forecasts = new StartForecasts(table, durations, profiles);
    this.shortTasks =
        new ShortTaskQueues(table, transitions, durations, failingNodes, forecasts.records());
    this.offers = offers;
    this.profiles = profiles;
    this.failingNodes = failingNodes;
    this.durations = durations;
    this.standings =
        new JobStandings(durations, profiles, table::program, job -> table.job(job).waits());
    this.passed = new PassedJobs(table, profiles.durations());
    this.claims = new PlaceClaims(table);
    this.preemptions =
        new Preemptions(
            table, profiles, transitions.jobs(), shares, sharing, passed, standings, claims);
    this.ranked =
        new RankedClasses(
            sharing.order().policy(), standings, table::find, table::spec, sharing.reserveAfter());
    this.trainings = new ElasticTrainingScaler(table, transitions.jobs(), profiles, offers);
    this.promises = new SharePromiseKeeper(table, profiles);
    this.gangStarts = new GangRendezvousPlanner(table);
  }

  /** Sets when the server ends, before which tasks must reach their time limits. */
  void serverEnds(ServerEndTime end) {
    serverEnd = end;
  }

  /** Removes an ended job. */
  void forget(JobId job) {
    offers.failures().forget(job);
    forecasts.records().forget(job);
    durations.forget(job);
    lastNode.remove(job);
  }

  /** Returns a restored task with a slot; one that an older build has placed has none yet. */
  PlacedTask withSlot(PlacedTask task) {
    lastSlot = Math.max(lastSlot, task.place().slot());
    return task.place().slot() == 0 ? task.inSlot(++lastSlot) : task;
  }

  /** Returns the tasks that wait for a place, with the reasons from the last plan. */
  Map<TaskId, List<WaitReason>> waiting() {
    Map<TaskId, List<WaitReason>> reasons = new TreeMap<>();
    for (JobEntry job : table.jobs()) {
      if (job.count(TaskState.WAITING) > 0) {
        job.tasks().stream()
            .filter(task -> task.state() == TaskState.WAITING)
            .forEach(
                task -> {
                  List<WaitReason> why = reasons(table.key(task));
                  if (!why.isEmpty()) {
                    reasons.put(task.id(), why);
                  }
                });
      }
    }
    return reasons;
  }

  /** Returns why a task has not started; empty for other tasks and before its first plan. */
  List<WaitReason> whyWaiting(TaskId id, long now) {
    TaskRecord task = table.find(id);
    if (!(task instanceof PendingTask pending)) {
      return List.of();
    }
    if (task.state() == TaskState.HELD) {
      return List.of(new WaitReason.OnHold());
    }
    if (task.state() == TaskState.SUBMITTED) {
      return transitions.jobs().gates().why(table.job(id.job()));
    }
    long pause = pending.notBefore() - now;
    if (pause > 0) {
      return List.of(new WaitReason.PauseBeforeRetry(pause / 1_000_000));
    }
    List<WaitReason> reasons = DeviceHolders.withHolders(reasons(table.key(task)), table);
    return DeviceHolders.withDeviceStates(reasons, table.needs(task), offered);
  }

  private List<WaitReason> reasons(TaskClass.SchedulingKey key) {
    Optional<WaitReason> own = ofItsJob(key);
    if (own.isPresent()) {
      return List.of(own.get());
    }
    List<WaitReason> reasons = lastPlan.waiting().getOrDefault(key, List.of());
    return Stream.concat(claims.leavingFor(key).stream(), reasons.stream()).toList();
  }

  /** Returns why no more tasks of its job may have a place now, whatever is free. */
  private Optional<WaitReason> ofItsJob(TaskClass.SchedulingKey key) {
    Optional<WaitReason> late = serverEnd.refusal(key.timeLimitMillis(), plannedAt);
    TaskSet waiting = table.knownLine(key);
    if (late.isPresent() || waiting.isEmpty() || !table.allowed(key, waiting).isEmpty()) {
      return late;
    }
    return Optional.of(
        key.gang() == null
            ? new WaitReason.EnoughRunning(key.group().most())
            : new WaitReason.MembersLeave(
                table.job(key.gang().job()).countSound() - waiting.size()));
  }

  /** Returns the nodes' offers, with failing nodes as paused. */
  List<NodeOffer> offers(List<NodeRegistry.Node> nodes, long now) {
    List<NodeOffer> all = counted(offers.of(nodes, now), Set.of());
    boolean asOffered = failingNodes.areNone() && offers.failures().areNone(now);
    return asOffered ? all : all.stream().map(one -> offer(one, now)).toList();
  }

  private List<NodeOffer> counted(List<NodeOffer> all, Set<Long> without) {
    Map<String, Long> totals = sharing.counted();
    return totals.isEmpty() ? all : OfferBuilder.counting(all, table, totals, without);
  }

  /** Returns the offers of this cycle as if the tasks of these slots had left. */
  private List<NodeOffer> offersWithout(Set<Long> slots, long now) {
    return completed(offers.without(slots, preemptions.nodesOf(slots), now), slots, now);
  }

  private List<NodeOffer> completed(List<NodeOffer> all, Set<Long> without, long now) {
    return counted(all, without).stream().map(one -> offer(one, now)).toList();
  }

  private NodeOffer offer(NodeOffer of, long now) {
    NodeOffer node = offers.failures().marked(of, now);
    return node.presence() == NodeOffer.Presence.READY
        ? failingNodes.pause(node.node(), now).map(node::paused).orElse(node)
        : node;
  }

  /**
   * Plans and applies one scheduling cycle.
   *
   * @param times gets the time of each step
   */
  List<TaskChange> run(List<NodeRegistry.Node> nodes, CycleTimes times, long now) {
    if (table.lines(now).isEmpty() && table.of(IndexedJobProperty.ELASTIC).isEmpty()) {
      return List.of();
    }
    List<TaskChange> changes = new ArrayList<>();
    Snapshot snapshot = snapshot(nodes, now); // 1 take the snapshot
    times.end(CycleTimes.Step.SNAPSHOT);
    for (List<Plan.Placement> freed = claims.fulfil(snapshot, now); // 2 fulfil claims
        !freed.isEmpty();
        freed = claims.fulfil(snapshot, now)) {
      freed.forEach(placement -> changes.add(place(placement, now)));
      gangStarts.begin(freed, nodes);
      snapshot = snapshot(nodes, now);
    }
    if (claims.areLong() && changes.addAll(elsewhere(snapshot, nodes, now))) {
      snapshot = snapshot(nodes, now);
    }
    times.end(CycleTimes.Step.FULFIL);
    trainings.fit(snapshot, lastPlan, claims.promised(), now);
    if (sharing.order().policy().exchanges()) {
      standings.learnFrom(table, now);
    }
    List<TaskClass> classes = ranked.of(classes(now), now); // 3 collect
    times.end(CycleTimes.Step.COLLECT);
    offered = snapshot.nodes();
    lastPlan = memory.plan(snapshot, classes); // 4 order, fit, score and reserve
    lastNode = new HashMap<>(lastPlan.lastNode());
    times.end(CycleTimes.Step.PLAN);
    changes.addAll(apply(lastPlan, lastPlan.placements(), nodes, now)); // 5 apply
    times.end(CycleTimes.Step.APPLY);
    changes.addAll(shortTasks.placeAhead(lastPlan.next(), nodes, now)); // 6 place ahead
    times.end(CycleTimes.Step.PLACE_AHEAD);
    passed.look(now);
    VictimSearch.Capacity without = slots -> offersWithout(slots, now);
    changes.addAll(preemptions.run(snapshot, lastPlan, classes, without, now)); // 7 preempt
    changes.addAll(trainings.change(snapshot, lastPlan, without, now));
    times.end(CycleTimes.Step.PREEMPT);
    return changes; // 8 the coordinator commits them
  }

  Map<JobId, JobForecast> forecast(List<NodeRegistry.Node> nodes, long now) {
    Snapshot snapshot = snapshot(nodes, now);
    GrowingVacancy vacancy = new GrowingVacancy(offers, preemptions, now);
    return forecasts.of(
        snapshot,
        ranked.of(classes(now), now),
        gone -> completed(vacancy.without(gone), gone, now),
        now);
  }

  /** Sets the time in milliseconds since 1970. */
  void at(long wallMillis) {
    forecasts.records().at(wallMillis);
  }

  /** Forgets what was forecast for a job that its user has changed, held or released. */
  void isChanged(JobId job) {
    forecasts.records().changed(job);
    forecasts.forget();
  }

  /** Forgets what was forecast for jobs whose order somebody has changed. */
  void isReordered(Predicate<JobSpec> affected) {
    forecasts
        .records()
        .reordered(id -> table.job(id) == null || affected.test(table.job(id).spec()));
    forecasts.forget();
  }

  private Snapshot snapshot(List<NodeRegistry.Node> nodes, long now) {
    List<NodeOffer> all = offers(nodes, now);
    Snapshot snapshot =
        new Snapshot(
            all,
            lastNode,
            shares.useByShare(now),
            shares.shares(),
            table.measuring(),
            profiles.slowTogether(),
            claims.byNode(all, slots -> offersWithout(slots, now), now),
            table
                .use()
                .parts(
                    table.lines(now).keySet().stream()
                        .map(TaskClass.SchedulingKey::account)
                        .filter(Objects::nonNull)
                        .toList()),
            offers.failures().places(),
            now);
    return snapshot
        .ordered(sharing.order().policy().turns())
        .expecting(passed)
        .told(forecasts.records().latestStarts(now))
        .with(firstRuns())
        .with(promises.now(table.lines(now).keySet()));
  }

  private FirstRuns firstRuns() {
    return sharing.firstRun() == SchedulingSettings.FirstRun.ALONE
        ? FirstRuns.ALONE
        : FirstRuns.beside(profiles.reservations());
  }

  /** Starts tasks elsewhere for which others would take long to leave. */
  private List<TaskChange> elsewhere(Snapshot snapshot, List<NodeRegistry.Node> nodes, long now) {
    Plan all = memory.plan(snapshot, ranked.of(classes((key, tasks) -> tasks, now), now));
    Map<PlaceClaim, List<Plan.Placement>> elsewhere = claims.elsewhere(all, now);
    List<TaskChange> changes =
        apply(all, elsewhere.values().stream().flatMap(List::stream).toList(), nodes, now);
    claims.removePlaced(elsewhere);
    return changes;
  }

  /** Gives planned tasks their places, except on failing nodes with a trial task under way. */
  private List<TaskChange> apply(
      Plan plan, List<Plan.Placement> some, List<NodeRegistry.Node> nodes, long now) {
    List<TaskChange> changes = new ArrayList<>();
    List<Plan.Placement> placed = new ArrayList<>();
    Predicate<Plan.Placement> admitted =
        failingNodes.admission(
            some, task -> table.spec(table.find(task)).terms().startsTogether(), now);
    for (Plan.Placement placement : some) {
      if (table.hasRoom(placement.task()) && admitted.test(placement)) {
        changes.add(place(placement, now));
        passed.placed(placement.task(), plan);
        placed.add(placement);
      }
    }
    gangStarts.begin(placed, nodes);
    return changes;
  }

  private TaskChange place(Plan.Placement placement, long now) {
    long gpuMemory =
        placement.guessed() > 0
            ? placement.guessed()
            : table.needs(table.find(placement.task())).gpuMemory();
    Place place = Place.at(placement.node(), placement.devices(), ++lastSlot, gpuMemory);
    forecasts.records().started(placement.task().job(), now);
    return transitions.place(placement.task(), place, now);
  }

  /** Returns the waiting tasks by class, without those that get the place of one that leaves. */
  private List<TaskClass> classes(long now) {
    return classes(claims::others, now);
  }

  private List<TaskClass> classes(
      BiFunction<TaskClass.SchedulingKey, TaskSet, TaskSet> part, long now) {
    List<TaskClass> classes = new ArrayList<>();
    plannedAt = now;
    for (Map.Entry<TaskClass.SchedulingKey, TaskSet> line : table.lines(now).entrySet()) {
      TaskClass.SchedulingKey key = line.getKey();
      TaskSet tasks = part.apply(key, line.getValue());
      tasks = tasks.isEmpty() ? tasks : table.allowed(key, tasks);
      boolean inTime = serverEnd.refusal(key.timeLimitMillis(), now).isEmpty();
      if (inTime && !tasks.isEmpty()) {
        classes.add(taskClass(key, tasks, now));
      }
    }
    return classes;
  }

  private TaskClass taskClass(TaskClass.SchedulingKey key, TaskSet tasks, long now) {
    PendingTask first = (PendingTask) table.find(tasks.first());
    long waited = now - first.notBefore();
    return new TaskClass(
        key,
        tasks,
        key.fillsHoles() ? 0 : shares.charge(key.user(), key.needs()),
        key.fillsHoles() || waited < sharing.reserveAfter().toNanos()
            ? TaskClass.Overtaking.ALLOWED
            : TaskClass.Overtaking.REFUSED);
  }
}
