package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.schedule.Line;
import io.remuda.coordinator.schedule.NodeOffer;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.Scheduler;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.Dependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.Workload;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * All live tasks and the rules by which plans, reports, silence and users change them. Every change
 * goes through {@link Lifecycle}; a report that does not fit the newest attempt changes nothing.
 * Times are nanoseconds of one monotonic clock. One thread.
 */
public final class TaskRegistry {

  /** For what is tied to one run, where nobody waits for long and one user has everything. */
  private static final SharingPolicy ONE_RUN =
      new SharingPolicy(Duration.ofMinutes(1), Duration.ofDays(1), Duration.ZERO, Duration.ZERO);

  private final RetryPolicy retry;
  private final SharingPolicy sharing;
  private final TaskTable table = new TaskTable();
  private final FairShare shares;
  private final Map<DeviceId, Long> avoidUntil = new HashMap<>();
  private final Map<JobId, Set<JobId>> dependents = new HashMap<>();
  private final Set<JobId> loosened = new LinkedHashSet<>();
  private final Deque<JobId> ended = new ArrayDeque<>();
  private boolean followingEnds;
  private Map<JobId, String> lastNode = Map.of();
  private Plan lastPlan = new Plan(List.of(), Map.of(), Map.of(), null);
  private final Pace pace;
  private long lastSeat;

  public TaskRegistry(RetryPolicy retry) {
    this(retry, ONE_RUN, 0);
  }

  /** A registry without jobs. */
  public TaskRegistry(RetryPolicy retry, SharingPolicy sharing, long now) {
    this.retry = retry;
    this.sharing = sharing;
    this.shares = new FairShare(sharing.useHalfLife(), now);
    this.pace = new Pace(sharing.ahead());
  }

  /** From now on the user is due {@code share} times what one with 1 is. */
  public void share(String user, double share) {
    shares.share(user, share);
  }

  /** What a user has used before this registry was made, in core-seconds. */
  public void used(String user, double coreSeconds) {
    shares.restore(user, coreSeconds);
  }

  /** What each user has used, in core-seconds, what was long ago counting less. */
  public Map<String, Double> use(long now) {
    return shares.use(now);
  }

  /** How many tasks run on a node or are about to; those that are to follow others not counted. */
  public int placedOn(String node) {
    return table.seats(node).size();
  }

  /** A job without open dependencies that may start as soon as there is room. */
  public void submit(JobSpec job, long now) {
    submit(job, Set.of(), Start.AT_ONCE, now);
  }

  /** Whether a job's user lets it start. */
  public enum Start {
    /** As soon as there is room. */
    AT_ONCE,
    /** When it is taken off hold. */
    ON_HOLD
  }

  /**
   * A new job.
   *
   * @param open jobs that have to end first and have not
   */
  public void submit(JobSpec job, Set<Dependency> open, Start start, long now) {
    TaskState first = open.isEmpty() ? TaskState.WAITING : TaskState.SUBMITTED;
    add(new JobEntry(job, start == Start.ON_HOLD ? TaskState.HELD : first, now), open);
  }

  private void add(JobEntry entry, Set<Dependency> open) {
    entry.open().addAll(open);
    table.add(entry);
    open.forEach(
        dependency ->
            dependents
                .computeIfAbsent(dependency.job(), id -> new LinkedHashSet<>())
                .add(entry.spec().id()));
  }

  /**
   * A job as it was when an earlier coordinator ended. Its placed tasks count as silent until their
   * nodes are heard.
   *
   * @param first state of the tasks that were never placed
   * @param changed the others
   */
  public void restore(
      JobSpec job,
      Set<Dependency> open,
      TaskState first,
      Collection<TaskRecord> changed,
      long now) {
    JobEntry entry = new JobEntry(job, first, now);
    for (TaskRecord task : changed) {
      entry.put(task.place() == null ? task : seated(task.silentSince(now)));
    }
    add(entry, open);
    changed.stream()
        .filter(task -> task.state().holdsPlace())
        .map(task -> table.find(task.id()).place().seat())
        .distinct()
        .forEach(seat -> chargeFirst(seat, now));
  }

  /** A task that an older build has placed has no seat yet. */
  private TaskRecord seated(TaskRecord task) {
    lastSeat = Math.max(lastSeat, task.place().seat());
    return task.place().seat() == 0 ? task.inSeat(++lastSeat) : task;
  }

  /** What a seat holds is its first task's use; those behind it have none yet. */
  private void chargeFirst(long seat, long now) {
    if (!table.inSeat(seat).isEmpty()) {
      TaskRecord first = table.find(table.inSeat(seat).first());
      JobSpec job = table.spec(first);
      shares.started(first.id(), job.user(), job.request(), now);
    }
  }

  /** Forgets a job that is over. */
  public void drop(JobId job) {
    table.drop(job);
    dependents.remove(job);
    if (lastNode.containsKey(job)) {
      Map<JobId, String> others = new HashMap<>(lastNode);
      others.remove(job);
      lastNode = others;
    }
  }

  /** Jobs that wait for fewer others since this was last asked. */
  public Set<JobId> loosened() {
    Set<JobId> jobs = Set.copyOf(loosened);
    loosened.clear();
    return jobs;
  }

  public Optional<TaskRecord> find(TaskId id) {
    return Optional.ofNullable(table.find(id));
  }

  /** A live job's description. */
  public Optional<JobSpec> job(JobId id) {
    return Optional.ofNullable(table.job(id)).map(JobEntry::spec);
  }

  /** The jobs that are known, by number. */
  public List<JobSpec> jobs() {
    return table.jobs().stream().map(JobEntry::spec).toList();
  }

  /** The state of a job as a whole. */
  public Optional<TaskState> stateOf(JobId id) {
    return Optional.ofNullable(table.job(id)).map(JobEntry::state);
  }

  /** Jobs that have to end before this one's tasks may start. */
  public List<Dependency> openDependencies(JobId id) {
    JobEntry job = table.job(id);
    return job == null ? List.of() : List.copyOf(job.open());
  }

  /** The node will first see the attempt's order, or that it is gone, in this revision. */
  public void ordered(AttemptId attempt, long revision) {
    TaskRecord task = table.find(attempt.task());
    if (task != null && task.attempt() == attempt.attempt() && task.place() != null) {
      table.put(task.orderedIn(revision));
    }
  }

  /** How many of a job's tasks are in each state that any is in. */
  public Map<TaskState, Integer> counts(JobId id) {
    Map<TaskState, Integer> counts = new TreeMap<>();
    JobEntry job = table.job(id);
    for (TaskState state : TaskState.values()) {
      if (job != null && job.count(state) > 0) {
        counts.put(state, job.count(state));
      }
    }
    return counts;
  }

  public Collection<TaskRecord> all() {
    return table.jobs().stream().flatMap(job -> job.tasks().stream()).toList();
  }

  /** The tasks of one job by index. */
  public List<TaskRecord> of(JobId job) {
    JobEntry entry = table.job(job);
    return entry == null ? List.of() : entry.tasks();
  }

  /** The plan of the last cycle, with the reasons of what waits. */
  public Plan lastPlan() {
    return lastPlan;
  }

  /** Tasks that wait for a place, with the reasons of the last plan. */
  public Map<TaskId, List<WaitReason>> waiting() {
    Map<TaskId, List<WaitReason>> reasons = new TreeMap<>();
    for (JobEntry job : table.jobs()) {
      List<WaitReason> why = lastPlan.waiting().get(TaskTable.kind(job.spec()));
      if (why != null && job.count(TaskState.WAITING) > 0) {
        job.tasks().stream()
            .filter(task -> task.state() == TaskState.WAITING)
            .forEach(task -> reasons.put(task.id(), why));
      }
    }
    return reasons;
  }

  /** Why a task that has not started has not; empty for any other, and while it is its turn. */
  public List<WaitReason> whyWaiting(TaskId id, long now) {
    TaskRecord task = table.find(id);
    if (task == null || !task.state().isBefore()) {
      return List.of();
    }
    if (task.state() == TaskState.HELD) {
      return List.of(new WaitReason.OnHold());
    }
    JobEntry job = table.job(id.job());
    if (task.state() == TaskState.SUBMITTED) {
      return job.open().stream().<WaitReason>map(WaitReason.AfterJob::new).toList();
    }
    long pause = task.notBefore() - now;
    if (pause > 0) {
      return List.of(new WaitReason.PauseBeforeRetry(pause / 1_000_000));
    }
    return lastPlan.waiting().getOrDefault(TaskTable.kind(job.spec()), List.of());
  }

  /** Whether this attempt is the newest of its task and has a place. */
  public boolean isPlaced(AttemptId attempt) {
    return find(attempt.task())
        .filter(task -> task.attempt() == attempt.attempt() && task.state().holdsPlace())
        .isPresent();
  }

  /** Devices that tasks hold, on whatever node. */
  public Set<DeviceId> lentDevices() {
    return table.placed().stream()
        .flatMap(task -> task.place().devices().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The attempts that hold each lent device, in the order of their numbers. */
  public Map<DeviceId, List<AttemptId>> holders() {
    Map<DeviceId, List<AttemptId>> holders = new HashMap<>();
    for (TaskRecord task : table.placed()) {
      for (DeviceId device : task.place().devices()) {
        holders.computeIfAbsent(device, id -> new ArrayList<>()).add(task.attemptId());
      }
    }
    return holders;
  }

  /** What the nodes have left. */
  public List<NodeOffer> offers(Collection<NodeRegistry.Node> nodes, long now) {
    return Offers.of(nodes, table, avoidUntil, now);
  }

  /**
   * Plans and applies one scheduling cycle.
   *
   * @param nextRevision the revision in which a node will first see a new order
   */
  public List<TaskChange> schedule(
      Collection<NodeRegistry.Node> nodes, ToLongFunction<String> nextRevision, long now) {
    List<Line> lines = lines(now);
    if (lines.isEmpty()) {
      return List.of();
    }
    lastPlan =
        Scheduler.plan(
            new Snapshot(offers(nodes, now), lastNode, shares.useByShare(now), shares.shares()),
            lines);
    lastNode = lastPlan.lastNode();
    List<TaskChange> changes = new ArrayList<>();
    for (Plan.Placement placement : lastPlan.placements()) {
      long revision = nextRevision.applyAsLong(placement.node());
      changes.add(
          place(
              placement.task(),
              TaskRecord.Place.at(placement.node(), placement.devices(), revision, ++lastSeat),
              now));
    }
    changes.addAll(placeAhead(nodes, nextRevision, now));
    return changes;
  }

  private TaskChange place(TaskId id, TaskRecord.Place place, long now) {
    TaskRecord before = table.find(id);
    return moved(before.state(), TaskTrigger.PLACED, before.placed(place), now);
  }

  /**
   * Sends short tasks of the line whose turn it is to where others of it run, to follow them there.
   */
  private List<TaskChange> placeAhead(
      Collection<NodeRegistry.Node> nodes, ToLongFunction<String> nextRevision, long now) {
    Line.Kind kind = lastPlan.next();
    int most = kind == null ? 0 : pace.tasksOfSeat(kind);
    NavigableSet<TaskId> waiting = table.lines(now).get(kind);
    if (most < 2 || waiting == null) {
      return List.of();
    }
    List<TaskChange> changes = new ArrayList<>();
    PriorityQueue<Queue> queues = queues(nodes, kind);
    while (!queues.isEmpty() && !waiting.isEmpty()) {
      Queue shortest = queues.poll();
      if (shortest.tasks() < most) {
        long revision = nextRevision.applyAsLong(shortest.node());
        TaskRecord.Place place =
            TaskRecord.Place.at(shortest.node(), List.of(), revision, shortest.seat());
        changes.add(place(waiting.first(), place, now));
        queues.add(new Queue(shortest.node(), shortest.seat(), shortest.tasks() + 1));
      }
    }
    return changes;
  }

  /** How many tasks a seat has. */
  private record Queue(String node, long seat, int tasks) {}

  private PriorityQueue<Queue> queues(Collection<NodeRegistry.Node> nodes, Line.Kind kind) {
    PriorityQueue<Queue> queues =
        new PriorityQueue<>(Comparator.comparingInt(Queue::tasks).thenComparingLong(Queue::seat));
    for (NodeRegistry.Node node : nodes) {
      if (node.reachable() && !node.draining()) {
        table
            .seats(node.name())
            .forEach(
                (seat, first) -> {
                  if (TaskTable.kind(table.spec(first)).equals(kind)) {
                    queues.add(new Queue(node.name(), seat, table.inSeat(seat).size()));
                  }
                });
      }
    }
    return queues;
  }

  private List<Line> lines(long now) {
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<Line.Kind, NavigableSet<TaskId>> line : table.lines(now).entrySet()) {
      Line.Kind kind = line.getKey();
      long waited = now - table.find(line.getValue().first()).notBefore();
      lines.add(
          new Line(
              kind,
              line.getValue(),
              shares.charge(kind.user(), kind.needs()),
              waited < sharing.reserveAfter().toNanos()
                  ? Line.Patience.PATIENT
                  : Line.Patience.EXHAUSTED));
    }
    return lines;
  }

  /** What should run on a node. */
  public List<TaskOrder> orders(String node) {
    return table.at(node).stream()
        .filter(task -> task.state() != TaskState.ENDING)
        .map(this::order)
        .toList();
  }

  /** The order for a task that holds a place. */
  public TaskOrder order(TaskRecord task) {
    JobSpec job = table.spec(task);
    return new TaskOrder(
        task.attemptId(),
        job.user(),
        job.tied(),
        isRestartable(job) ? sharing.restartableLease().toMillis() : 0,
        job.tasks().get(task.id().index()),
        task.place().devices(),
        job.threads(),
        !task.place().devices().isEmpty(),
        new TaskOrder.JobFacts(job.uuid(), job.name(), job.tasks().size(), job.request()),
        task.place().seat());
  }

  private static boolean isRestartable(JobSpec job) {
    return !job.tied() && job.terms().retries() > 0;
  }

  /** The node has just joined, perhaps again, and says what it holds. */
  public List<TaskChange> joined(String node, List<TaskReport> reports, long now) {
    return compare(node, reports, Long.MIN_VALUE, now);
  }

  /** The node says what it holds, having seen the orders up to {@code revision}. */
  public List<TaskChange> reported(String node, List<TaskReport> reports, long revision, long now) {
    return compare(node, reports, revision, now);
  }

  private List<TaskChange> compare(String node, List<TaskReport> reports, long revision, long now) {
    Map<AttemptId, TaskReport> byAttempt =
        reports.stream().collect(Collectors.toMap(TaskReport::attempt, report -> report));
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord known : table.at(node)) {
      TaskRecord current = table.find(known.id()); // an earlier one may have ended it
      if (!current.state().holdsPlace()) {
        continue;
      }
      TaskRecord task = heardAgain(current);
      TaskReport report = byAttempt.get(task.attemptId());
      if (report != null) {
        changes.addAll(seen(task, report, now));
      } else if (isMissing(task, revision)) {
        changes.addAll(ended(task, nodeGone("its node no longer has it"), now));
      } else if (task.state() == TaskState.UNKNOWN) {
        changes.addAll(fire(task, TaskTrigger.SEEN_STARTING, now)); // its order goes out again
      }
    }
    return changes;
  }

  /**
   * The silence is over, for a task in whatever state; one that is unknown is so until it is seen.
   */
  private TaskRecord heardAgain(TaskRecord task) {
    if (task.state() == TaskState.UNKNOWN || task.place().silentSince() == 0) {
      return task;
    }
    TaskRecord again = task.silentSince(0);
    table.put(again);
    return again;
  }

  /** An order that the node has not seen yet cannot be missing there. */
  private static boolean isMissing(TaskRecord task, long revision) {
    boolean neverSeen = task.state() == TaskState.UNKNOWN && task.place().runningSince() == 0;
    boolean maybeUnseen =
        neverSeen || task.state() == TaskState.STARTING || task.state() == TaskState.ENDING;
    return !maybeUnseen || revision >= task.place().sinceRevision();
  }

  private List<TaskChange> seen(TaskRecord task, TaskReport report, long now) {
    return switch (report.phase()) {
      case STARTING -> fire(task, TaskTrigger.SEEN_STARTING, now);
      case RUNNING, ENDING -> seenRunning(task, now);
      case ENDED -> ended(task, report.end(), now);
      case REFUSED -> refused(task, report.end(), now);
    };
  }

  private List<TaskChange> seenRunning(TaskRecord task, long now) {
    boolean first = task.place().runningSince() == 0 && !task.state().isFinal();
    TaskRecord running = first ? task.runningSince(now) : task;
    if (first) {
      table.put(running);
    }
    return fire(running, TaskTrigger.SEEN_RUNNING, now);
  }

  private List<TaskChange> refused(TaskRecord task, TaskEnd end, long now) {
    if (task.state() == TaskState.ENDING) {
      return gone(task, now);
    }
    if (end.kind() == TaskEnd.Kind.DEVICE_BUSY) {
      long until = now + retry.maxDelay().toNanos();
      task.place().devices().forEach(device -> avoidUntil.put(device, until));
      return fire(task.delayed(now, end.cause()), TaskTrigger.REFUSED, now);
    }
    if (end.kind() == TaskEnd.Kind.NOT_BEGUN) {
      pace.slowed(TaskTable.kind(table.spec(task)));
      return fire(task.delayed(now, task.cause()), TaskTrigger.REFUSED, now);
    }
    return isCommand(task) ? commandRefused(task, end, now) : interrupted(task, end, now);
  }

  private boolean isCommand(TaskRecord task) {
    Workload workload = table.spec(task).tasks().get(task.id().index());
    return workload instanceof CommandWorkload;
  }

  private List<TaskChange> commandRefused(TaskRecord task, TaskEnd end, long now) {
    return end.kind() == TaskEnd.Kind.CANNOT_START
        ? fire(task.ended(end, end.cause()), TaskTrigger.BROKE, now)
        : fire(task.delayed(now + retry.delayNanos(0), end.cause()), TaskTrigger.REFUSED, now);
  }

  private List<TaskChange> ended(TaskRecord task, TaskEnd end, long now) {
    if (task.state() == TaskState.ENDING) {
      return gone(task.ended(end, task.cause()), now);
    }
    if (isCommand(task)) {
      return commandEnded(task, end, now);
    }
    if (task.outcome() instanceof WorkerEvent.Failed failed) {
      return fire(task.ended(end, failed.cause()), TaskTrigger.BROKE, now);
    }
    if (task.outcome() != null) {
      return fire(task.ended(end, end.cause()), TaskTrigger.FINISHED, now);
    }
    return interrupted(task, end, now);
  }

  private List<TaskChange> gone(TaskRecord task, long now) {
    return fire(task, task.place().overdue() ? TaskTrigger.GONE_OVERDUE : TaskTrigger.GONE, now);
  }

  /** The exit code of a command is its result, unless we or a failure of ours ended it. */
  private List<TaskChange> commandEnded(TaskRecord task, TaskEnd end, long now) {
    boolean own = end.kind() == TaskEnd.Kind.BY_ITSELF;
    if (own && end.wallMillis() != null) {
      pace.ran(TaskTable.kind(table.spec(task)), end.wallMillis());
    }
    if (own && end.exitCode() != null && end.exitCode() == 0) {
      return fire(task.ended(end, end.cause()), TaskTrigger.FINISHED, now);
    }
    if (task.interruptions() < table.spec(task).terms().retries()) {
      TaskRecord again = task.interrupted(end, now + retry.delayNanos(task.interruptions()));
      return fire(again, TaskTrigger.INTERRUPTED, now);
    }
    return fire(
        task.ended(end, end.cause()),
        own ? TaskTrigger.BROKE : TaskTrigger.INTERRUPTED_TOO_OFTEN,
        now);
  }

  private static TaskEnd nodeGone(String cause) {
    return TaskEnd.because(TaskEnd.Kind.NODE_GONE, cause);
  }

  private List<TaskChange> interrupted(TaskRecord task, TaskEnd end, long now) {
    TaskRecord noted = task.interrupted(end, now + retry.delayNanos(task.interruptions()));
    return fire(
        noted,
        retry.exhausted(noted) ? TaskTrigger.INTERRUPTED_TOO_OFTEN : TaskTrigger.INTERRUPTED,
        now);
  }

  /** Nothing is heard of the node any more. */
  public List<TaskChange> silent(String node, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord known : table.at(node)) {
      TaskRecord task = table.find(known.id());
      if (task.state().holdsPlace() && task.place().silentSince() == 0) {
        TaskRecord silent = task.silentSince(now);
        table.put(silent);
        changes.addAll(fire(silent, TaskTrigger.NODE_SILENT, now));
      }
    }
    return changes;
  }

  /**
   * Looks at the clock: gives up attempts whose node has been silent for longer than its lease can
   * last, and ends those whose time limit has passed.
   */
  public List<TaskChange> tick(long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord known : table.placed()) {
      TaskRecord task = table.find(known.id());
      if (!task.state().holdsPlace()) {
        continue;
      }
      if (task.place().silentSince() != 0) {
        changes.addAll(stillSilent(task, now - task.place().silentSince(), now));
      } else if (isOverdue(task, now)) {
        TaskRecord late = task.pastLimit("time limit of " + limit(task) + " passed");
        changes.addAll(fire(late, TaskTrigger.OVERDUE, now));
      }
    }
    return changes;
  }

  private List<TaskChange> stillSilent(TaskRecord task, long nanos, long now) {
    boolean surely = nanos > retry.silence().toNanos();
    if (surely && (task.state() == TaskState.RUNNING || task.state() == TaskState.STARTING)) {
      return fire(task, TaskTrigger.NODE_SILENT, now); // from before this coordinator was started
    }
    boolean unwanted =
        surely && task.state() == TaskState.ENDING; // its node ends it when it is back
    boolean mayEnd = task.state() == TaskState.UNKNOWN && nanos > leasePassed(task);
    return unwanted || mayEnd
        ? ended(task, nodeGone("its node was silent beyond its lease"), now)
        : List.of();
  }

  /** After so many nanoseconds of silence nothing of the task runs; never if it has no lease. */
  private long leasePassed(TaskRecord task) {
    JobSpec job = table.spec(task);
    if (job.tied()) {
      return retry.silence().toNanos();
    }
    return isRestartable(job)
        ? sharing.restartableLease().plus(retry.silence()).toNanos()
        : Long.MAX_VALUE;
  }

  private boolean isOverdue(TaskRecord task, long now) {
    long limit = table.spec(task).terms().timeLimitMillis();
    return limit > 0
        && task.state() == TaskState.RUNNING
        && task.place().runningSince() != 0
        && now - task.place().runningSince() > limit * 1_000_000;
  }

  private String limit(TaskRecord task) {
    return Duration.ofMillis(table.spec(task).terms().timeLimitMillis()).toString().substring(2);
  }

  /** From now on the tasks of a job take no device; those that hold one keep it. */
  public void withoutGpus(JobId job) {
    job(job).ifPresent(spec -> table.replace(spec.withRequest(spec.request().withoutGpus())));
  }

  /** Ends every task of a job. */
  public List<TaskChange> cancel(JobId job, long now) {
    return cancel(job, "cancelled", now);
  }

  /** The same; {@code why} is what people are told of each. */
  public List<TaskChange> cancel(JobId job, String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord task : List.copyOf(of(job))) {
      TaskRecord current = table.find(task.id()); // an earlier one may have ended it
      changes.addAll(fire(current.because(why), TaskTrigger.CANCEL, now));
    }
    return changes;
  }

  /** Keeps a job's tasks from starting. */
  public List<TaskChange> hold(JobId job, long now) {
    List<TaskChange> changes = new ArrayList<>();
    List.copyOf(of(job)).forEach(task -> changes.addAll(fire(task, TaskTrigger.HOLD, now)));
    return changes;
  }

  /** Lets a job's tasks start again, once the jobs before it have ended. */
  public List<TaskChange> release(JobId job, long now) {
    List<TaskChange> changes = new ArrayList<>();
    List.copyOf(of(job)).forEach(task -> changes.addAll(fire(task, TaskTrigger.RELEASE, now)));
    changes.addAll(ready(job, now));
    return changes;
  }

  private List<TaskChange> ready(JobId job, long now) {
    JobEntry entry = table.job(job);
    List<TaskChange> changes = new ArrayList<>();
    if (entry != null && entry.open().isEmpty()) {
      for (TaskRecord task : List.copyOf(entry.tasks())) {
        changes.addAll(fire(task, TaskTrigger.READY, now));
      }
    }
    return changes;
  }

  /** What became of a worker's event. */
  public enum Heard {
    /** It is the next one and was noted. */
    NEW,
    /** It was noted before. */
    REPEATED,
    /** It belongs to an earlier attempt, or one before it is missing. */
    DROPPED
  }

  /** Notes an event of an attempt's worker. */
  public Heard heard(AttemptId attempt, long sequence, WorkerEvent event) {
    TaskRecord task = table.find(attempt.task());
    if (task == null || task.attempt() != attempt.attempt() || !task.state().holdsPlace()) {
      return Heard.DROPPED;
    }
    if (sequence <= task.lastSequence()) {
      return Heard.REPEATED;
    }
    if (sequence > task.lastSequence() + 1) {
      return Heard.DROPPED;
    }
    table.put(task.heard(sequence, event));
    return Heard.NEW;
  }

  private List<TaskChange> fire(TaskRecord task, TaskTrigger trigger, long now) {
    Optional<TaskState> next = Lifecycle.next(task.state(), trigger);
    if (next.isEmpty()) {
      return List.of(); // seen running while running, and the like
    }
    TaskState from = task.state();
    TaskRecord moved = task.in(next.get());
    boolean heard = from == TaskState.UNKNOWN && trigger != TaskTrigger.CANCEL;
    if (heard && next.get() != TaskState.UNKNOWN && moved.place() != null) {
      moved = moved.silentSince(0);
    }
    List<TaskChange> changes = new ArrayList<>();
    changes.add(moved(from, trigger, moved, now));
    if (next.get().isFinal()) {
      changes.addAll(afterEnd(moved, now));
    }
    return changes;
  }

  /** Puts the record in place and says so; without a place once it holds none. */
  private TaskChange moved(TaskState from, TaskTrigger trigger, TaskRecord task, long now) {
    boolean holds = task.state().holdsPlace();
    TaskRecord.Place place = task.place();
    table.put(holds ? task : task.withoutPlace());
    if (holds && !from.holdsPlace() && table.inSeat(place.seat()).size() == 1) {
      chargeFirst(place.seat(), now);
    } else if (!holds && from.holdsPlace()) {
      shares.ended(task.id(), now);
      chargeNext(place.seat(), now);
    }
    return new TaskChange(
        new AttemptId(task.id(), Math.max(1, task.attempt())),
        from,
        trigger,
        task.state(),
        place == null ? null : place.node(),
        place == null ? List.of() : place.devices(),
        task.cause());
  }

  private void chargeNext(long seat, long now) {
    boolean charged = table.inSeat(seat).stream().anyMatch(shares::isCharged);
    if (!charged) {
      chargeFirst(seat, now);
    }
  }

  /** A gang ends with the first of its tasks that fails; a job's end concerns those after it. */
  private List<TaskChange> afterEnd(TaskRecord task, long now) {
    JobEntry job = table.job(task.id().job());
    List<TaskChange> changes = new ArrayList<>();
    boolean failed = task.state() == TaskState.FAILED || task.state() == TaskState.LOST;
    if (failed && job.spec().terms().gang() && !job.isOver()) {
      String why = "task " + task.id() + " of its gang " + task.state().label();
      changes.addAll(cancel(job.spec().id(), why, now));
    } else if (job.isOver()) {
      ended.add(job.spec().id());
      changes.addAll(followEnds(now));
    }
    return changes;
  }

  /** One after the other, for a chain of jobs may be longer than the stack. */
  private List<TaskChange> followEnds(long now) {
    if (followingEnds) {
      return List.of();
    }
    followingEnds = true;
    List<TaskChange> changes = new ArrayList<>();
    for (JobId id = ended.poll(); id != null; id = ended.poll()) {
      changes.addAll(jobEnded(id, table.job(id).state(), now));
    }
    followingEnds = false;
    return changes;
  }

  private List<TaskChange> jobEnded(JobId id, TaskState state, long now) {
    List<TaskChange> changes = new ArrayList<>();
    Set<JobId> waiting = new HashSet<>(dependents.getOrDefault(id, Set.of()));
    dependents.remove(id);
    for (JobId dependent : waiting.stream().sorted().toList()) {
      JobEntry job = table.job(dependent);
      if (job != null && !job.isOver()) {
        changes.addAll(dependencyEnded(job, id, state, now));
      }
    }
    return changes;
  }

  private List<TaskChange> dependencyEnded(JobEntry job, JobId ended, TaskState state, long now) {
    for (Dependency dependency : List.copyOf(job.open())) {
      if (dependency.job().equals(ended)) {
        if (!isMet(dependency, state)) {
          return cancel(job.spec().id(), "job " + ended + " " + state.label(), now);
        }
        job.open().remove(dependency);
        loosened.add(job.spec().id());
      }
    }
    return ready(job.spec().id(), now);
  }

  /** Whether a job that ended so is what was waited for. */
  public static boolean isMet(Dependency dependency, TaskState state) {
    return switch (dependency.when()) {
      case ANY -> true;
      case OK -> state == TaskState.SUCCEEDED;
      case FAIL -> state != TaskState.SUCCEEDED;
    };
  }
}
