package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.GpuHolder;
import io.remuda.coordinator.schedule.PlaceExchange;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PlanMemory;
import io.remuda.coordinator.schedule.PreemptibleTaskGroup;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.VictimSearch;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.AgedUrgency;
import io.remuda.coordinator.schedule.order.JobStanding;
import io.remuda.coordinator.schedule.order.LearnedDurations;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.coordinator.schedule.order.Patience;
import io.remuda.coordinator.schedule.order.QueueOrder;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * One run of a trace under one policy: jobs come, the scheduler plans, who is asked to leave leaves
 * at once, and jobs end. The policy sees of a job what has happened so far, and its length only if
 * lengths are known. Single-threaded.
 */
public final class ScheduleRun {

  /** How long a task is overtaken before capacity is reserved for it, as in the job service. */
  private static final long RESERVE_AFTER = Duration.ofSeconds(60).toMillis();

  /** Places are exchanged at most so often only because running jobs get less urgent. */
  private static final long REVIEW = Duration.ofSeconds(10).toMillis();

  private static final long NEVER = Long.MAX_VALUE;

  /** An expected end of a job, or its arrival. */
  private record Due(long at, JobRun job, int version) {
    private boolean isArrival() {
      return version == 0;
    }
  }

  /** Ends before arrivals, each in the order of the trace. */
  private static final Comparator<Due> IN_ORDER =
      Comparator.comparingLong(Due::at)
          .thenComparing(Due::isArrival)
          .thenComparing(due -> due.job().job().id());

  private final OrderPolicy policy;
  private final KnownDurations durations;
  private final PreemptionCost overheads;
  private final SimulatedGpus gpus;
  private final Map<Long, JobRun> runs = new TreeMap<>();
  private final Map<Long, JobRun> running = new TreeMap<>();
  private final WaitingJobs waiting = new WaitingJobs();
  private final LearnedDurations learned = new LearnedDurations();
  private final PriorityQueue<Due> dues = new PriorityQueue<>(IN_ORDER);
  private final PlanMemory memory = new PlanMemory();
  private final List<ScheduleEvent> events = new ArrayList<>();
  private final List<JobRun> fresh = new ArrayList<>();

  /** What is noted of shown starts; null if that is not asked for, as it takes most of the time. */
  private ShownStarts starts;

  private long now;
  private long ended;

  ScheduleRun(
      Map<String, Integer> nodes,
      List<SimulatedJob> jobs,
      OrderPolicy policy,
      KnownDurations durations,
      PreemptionCost overheads) {
    this.policy = policy;
    this.durations = durations;
    this.overheads = overheads;
    this.gpus = new SimulatedGpus(nodes);
    for (SimulatedJob job : jobs) {
      JobRun run = new JobRun(job);
      runs.put(job.id().value(), run);
      dues.add(new Due(job.arrivalMillis(), run, 0));
    }
  }

  /** Has it noted when jobs are shown to start. */
  ScheduleRun showingStarts() {
    starts = new ShownStarts(durations, overheads);
    return this;
  }

  ScheduleRun all(LongConsumer progress) {
    long review = NEVER;
    while (!dues.isEmpty()) {
      boolean changed = dues.peek().at() > review;
      now = Math.min(review, dues.peek().at());
      while (!dues.isEmpty() && dues.peek().at() <= now) {
        changed |= happens(dues.poll());
      }
      if (changed) {
        cycle();
        look();
        progress.accept(ended);
        review = policy.exchanges() && !waiting.isEmpty() ? review() : NEVER;
      } // else only ends that preemptions have put off: they must not be seen, not even as a moment
    }
    if (!waiting.isEmpty()) {
      throw new IllegalStateException(waiting.size() + " jobs wait for ever");
    }
    return this;
  }

  /** Returns when a running job gets less urgent, so that places may be exchanged. */
  private long review() {
    long next = NEVER;
    for (JobRun run : running.values()) {
      JobStanding standing = run.standing(now, overheads, durations);
      long falls = policy.fallsAt(standing);
      next = falls == NEVER ? next : Math.min(next, now + falls - standing.ranMillis());
    }
    return next == NEVER ? NEVER : Math.max(next, now + REVIEW);
  }

  private boolean happens(Due due) {
    JobRun run = due.job();
    if (due.isArrival()) {
      waits(run);
      fresh.add(run);
    } else if (run.runs() && run.version() == due.version()) {
      long ran = run.job().durationMillis();
      leave(run);
      run.finish(now);
      ended++;
      learned.ended(run.job().gpus(), run.told(ran), ran);
      if (starts != null) {
        starts.ended(run, ran);
      }
      note(run, ScheduleEvent.Kind.FINISH, "");
    } else {
      return false;
    }
    return true;
  }

  private void waits(JobRun run) {
    double value = value(run);
    long patience = policy.exchanges() ? Patience.millis(value) : NEVER / 2;
    waiting.add(run.job(), value, now + patience - run.waited(now, overheads));
  }

  private double value(JobRun run) {
    return policy.value(run.standing(now, overheads, durations), learned);
  }

  private void note(JobRun run, ScheduleEvent.Kind kind, String nodes) {
    events.add(new ScheduleEvent(now, run.job().name(), kind, nodes, run.job().gpus()));
  }

  private void leave(JobRun run) {
    run.nodes().forEach(node -> gpus.leave(run.job().id().value(), node));
    running.remove(run.job().id().value());
  }

  private void look() {
    fresh.removeIf(JobRun::runs);
    if (starts != null && !waiting.isEmpty()) {
      List<TaskClass> classes = waiting.classes(now, this::overtaking);
      QueueOrder order = new QueueOrder(classes, Map.of(), Map.of(), policy.turns());
      starts.look(fresh, order, running.values(), runs, gpus::without, now);
    }
    fresh.clear();
  }

  private Snapshot snapshot() {
    return new Snapshot(
            gpus.offers(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), now * 1_000_000)
        .ordered(policy.turns())
        .told(starts == null ? Map.of() : starts.latest(now));
  }

  private void cycle() {
    Plan plan = plan();
    while (policy.exchanges() && !plan.waiting().isEmpty() && exchange(plan)) {
      plan = plan();
    }
  }

  private Plan plan() {
    if (waiting.isEmpty()) {
      return new Plan(List.of(), Map.of(), Map.of(), null);
    }
    Plan plan = memory.plan(snapshot(), waiting.classes(now, this::overtaking));
    apply(plan);
    return plan;
  }

  /** Returns whether a task may still be overtaken; who passes it may be asked to leave later. */
  private TaskClass.Overtaking overtaking(TaskId first) {
    long arrived = runs.get(first.job().value()).job().arrivalMillis();
    return policy.exchanges() || now - arrived < RESERVE_AFTER
        ? TaskClass.Overtaking.ALLOWED
        : TaskClass.Overtaking.REFUSED;
  }

  private void apply(Plan plan) {
    Map<Long, List<Plan.Placement>> byJob = new TreeMap<>();
    for (Plan.Placement one : plan.placements()) {
      byJob.computeIfAbsent(one.task().job().value(), any -> new ArrayList<>()).add(one);
    }
    byJob.forEach((id, placements) -> start(runs.get(id), placements));
  }

  private void start(JobRun run, List<Plan.Placement> placements) {
    waiting.remove(run.job());
    Map<String, Integer> nodes = new TreeMap<>();
    for (Plan.Placement one : placements) {
      gpus.take(run.job().id().value(), one.node(), one.devices());
      nodes.merge(one.node(), one.devices().size(), Integer::sum);
      run.isOn(one.node(), run.job().needs(one.task().index()));
    }
    running.put(run.job().id().value(), run);
    dues.add(new Due(run.start(now, overheads), run, run.version()));
    if (starts != null) {
      starts.started(run, now);
    }
    note(
        run,
        ScheduleEvent.Kind.START,
        nodes.entrySet().stream()
            .map(node -> node.getKey() + ":" + node.getValue())
            .collect(Collectors.joining(";")));
  }

  /** Has running jobs leave for one that waits, which starts; returns false if none is to. */
  private boolean exchange(Plan plan) {
    Snapshot snapshot = snapshot();
    PlaceExchange exchanges = new PlaceExchange(snapshot, holders(), Set.of(), gpus);
    Set<List<ResourceRequest>> failed = new HashSet<>();
    for (TaskClass.SchedulingKey key : plan.waiting().keySet()) {
      TaskClass first = waiting.first(key, now);
      if (first == null || !failed.add(first.tasks().stream().map(key::needs).toList())) {
        continue; // one like it, but more urgent, has found none
      }
      Optional<PlaceExchange.Exchange> exchange = exchanges.find(first);
      if (exchange.isPresent()) {
        exchange.get().leaving().forEach(this::preempt);
        apply(VictimSearch.planOn(exchange.get().nodes(), snapshot(), List.of(first)));
        return true;
      }
    }
    return false;
  }

  private void preempt(PreemptibleTaskGroup group) {
    JobRun run = running.get(group.tasks().get(0).job().value());
    note(run, ScheduleEvent.Kind.PREEMPT, "");
    leave(run);
    run.preempt(now, overheads);
    waits(run);
  }

  private List<GpuHolder> holders() {
    List<GpuHolder> holders = new ArrayList<>(running.size());
    for (JobRun run : running.values()) {
      SimulatedJob job = run.job();
      long ran = run.ran(now, overheads);
      learned.ran(job.gpus(), run.told(ran), ran);
      double value = value(run);
      boolean overdue = run.waited(now, overheads) > Patience.millis(value);
      if (run.startedAt() == now || overdue) {
        continue; // else jobs could take places from each other for ever without time passing
      }
      holders.add(
          GpuHolder.of(
              new PreemptibleTaskGroup(
                  List.copyOf(job.allTasks()),
                  Set.of(job.id().value()),
                  run.nodes(),
                  0,
                  overheads.both()),
              AgedUrgency.aged(value, now - job.arrivalMillis()),
              run.needs()));
    }
    return holders;
  }

  /** Returns how good the schedule is. */
  public ScheduleSummary summary() {
    return ScheduleSummary.of(runs.values(), gpus.count(), events);
  }

  /** Returns how right the shown starts were; they must have been asked for. */
  public ShownStartsSummary shownStarts() {
    return starts.summary();
  }

  /** Returns what happened, in the order of time. */
  public List<ScheduleEvent> events() {
    return events;
  }
}
