package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.schedule.NodeOffer;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.WarningSignal;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** Instead of the revision of an order that no node was told yet. */
  public static final long NOT_ORDERED = Long.MAX_VALUE;

  private final SharingPolicy sharing;
  private final Profiles profiles = new Profiles();
  private final TaskTable table;
  private final FairShare shares;
  private final TaskTransitions transitions;
  private final ReportHandler reportHandler;
  private final PlacementCycle placement;
  private final OfferCache offers;

  public TaskRegistry(RetryPolicy retry) {
    this(retry, ONE_RUN, 0);
  }

  /** A registry without jobs. */
  public TaskRegistry(RetryPolicy retry, SharingPolicy sharing, long now) {
    RecentDurations durations = new RecentDurations(sharing.ahead());
    this.table = new TaskTable(profiles, now);
    this.offers = new OfferCache(table);
    this.sharing = sharing;
    this.shares = new FairShare(sharing.useHalfLife(), now);
    CoLocation coLocation = new CoLocation();
    this.transitions = new TaskTransitions(table, shares, coLocation);
    ProfileUpdates profileUpdates = new ProfileUpdates(table, profiles, offers, coLocation);
    FailingNodes failingNodes = new FailingNodes(retry.avoidance());
    this.reportHandler =
        new ReportHandler(
            table, transitions, retry, sharing, durations, offers, profileUpdates, failingNodes);
    this.placement =
        new PlacementCycle(
            table, transitions, shares, sharing, durations, offers, profiles, failingNodes);
  }

  /** Attempts that get their places from now on are of a state file of this birth; 0 for none. */
  public void placeIn(long birth) {
    transitions.placeIn(birth);
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

  /** What an earlier coordinator knew of types. */
  public void restoreProfiles(Collection<Profile> known) {
    profiles.restore(known);
  }

  /** What has been learned of types since this was last asked. */
  public List<Profiles.Change> takeProfiles() {
    return profiles.takeChanges();
  }

  /** Whether anything was known of the type; its next task is measured. */
  public boolean forgetProfile(JobType type) {
    boolean there = profiles.of(type).isPresent();
    table.learn(type, () -> profiles.forget(type));
    return there;
  }

  /** What a task of a job that is about to be submitted needs, as far as is known. */
  public ResourceRequest needs(ResourceRequest asked, Optional<JobType> type) {
    return table.needs(asked, type);
  }

  /** How many tasks run on a node or are about to; those that are to follow others not counted. */
  public int placedOn(String node) {
    return table.slots(node).size();
  }

  /** A job without open dependencies that may start as soon as there is room. */
  public void submit(JobSpec job, long now) {
    submit(job, Set.of(), StartPermission.AT_ONCE, now);
  }

  /** Whether a job's user lets it start. */
  public enum StartPermission {
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
  public void submit(JobSpec job, Set<JobDependency> open, StartPermission start, long now) {
    TaskState first = open.isEmpty() ? TaskState.WAITING : TaskState.SUBMITTED;
    add(
        new JobEntry(job, start == StartPermission.ON_HOLD ? TaskState.HELD : first, now),
        open,
        now);
  }

  private void add(JobEntry entry, Set<JobDependency> open, long now) {
    entry.open().addAll(open);
    table.add(entry, now);
    transitions.jobs().follow(entry.spec().id(), open);
  }

  /**
   * A job as it was when an earlier coordinator ended. Its placed tasks count as silent until their
   * nodes are heard.
   *
   * @param base state of the tasks to which nothing has happened alone
   * @param why they are in that state, or null
   * @param changed the others
   * @param ended those of the others that are over
   */
  public void restore(
      JobSpec job,
      Set<JobDependency> open,
      TaskState base,
      String why,
      Collection<TaskRecord> changed,
      EndedTasks ended,
      long now) {
    JobEntry entry = new JobEntry(job, base, now);
    entry.rebase(base, why);
    entry.restore(ended);
    for (TaskRecord task : changed) {
      entry.put(task.place() == null ? task : placement.withSlot(task.silentSince(now)));
    }
    add(entry, open, now);
    transitions.jobs().restored(entry);
    List<TaskRecord> placed =
        changed.stream()
            .filter(task -> task.state().holdsPlace())
            .map(task -> table.find(task.id()))
            .toList();
    placed.forEach(task -> transitions.restored(task, now));
    placed.stream()
        .map(task -> task.place().slot())
        .distinct()
        .forEach(slot -> transitions.chargeFirst(slot, now));
  }

  /** A task that is over is in the store, and no more of it is needed than its state. */
  public void isKept(TaskId id) {
    JobEntry job = table.job(id.job());
    if (job != null) {
      job.isKept(id.index());
    }
  }

  /** The state of a job's tasks to which nothing has happened alone. */
  public Optional<TaskState> baseOf(JobId id) {
    return Optional.ofNullable(table.job(id)).map(JobEntry::base);
  }

  /** Why they are in it, or null. */
  public String whyBase(JobId id) {
    JobEntry job = table.job(id);
    return job == null ? null : job.why();
  }

  /** Why a job ended so: what the first of its tasks that ended so says; or null. */
  public String reason(JobId id, TaskState state) {
    JobEntry job = table.job(id);
    return job == null ? null : job.reason(state);
  }

  /** Of the first of a job's tasks that did not end well, 0 if all did, or null. */
  public Integer exitCode(JobId id) {
    JobEntry job = table.job(id);
    return job == null ? null : job.exitCode();
  }

  /** The first task of a job of which nothing runs and that may run later. */
  public Optional<TaskRecord> firstBefore(JobId id) {
    return Optional.ofNullable(table.job(id)).map(JobEntry::firstBefore);
  }

  /** The tasks that hold a place. */
  public List<TaskRecord> placed() {
    return table.placed();
  }

  /** Whether tasks are still to follow what was done to their jobs. */
  public boolean isUnsettled() {
    return transitions.jobs().isUnsettled();
  }

  /** Has some more of them follow, so many that others need not wait long for it. */
  public List<TaskChange> settle(long now) {
    return transitions.jobs().settle(now);
  }

  /** Forgets a job that is over. */
  public void drop(JobId job) {
    table.drop(job);
    transitions.jobs().forget(job);
    placement.forget(job);
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
  public List<JobDependency> openDependencies(JobId id) {
    JobEntry job = table.job(id);
    return job == null ? List.of() : List.copyOf(job.open());
  }

  /**
   * The node will first see the attempt's order, or that it is gone, in this revision; {@link
   * #NOT_ORDERED} if it was not told yet. A report that has not seen it cannot miss the attempt.
   */
  public void ordered(AttemptId attempt, long revision) {
    TaskRecord task = table.find(attempt.task());
    boolean placed = task != null && task.attempt() == attempt.attempt() && task.place() != null;
    if (placed && task.place().sinceRevision() != revision) {
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

  /** Whether this attempt is the newest of its task and has a place. */
  public boolean isPlaced(AttemptId attempt) {
    return find(attempt.task())
        .filter(task -> task.state().holdsPlace() && task.attemptId().equals(attempt))
        .isPresent();
  }

  /** Devices that tasks hold, on whatever node. */
  public Set<DeviceId> lentDevices() {
    return table.placed().stream()
        .flatMap(task -> task.place().devices().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The attempts that hold each lent device, in the order of their numbers. One that only asks for
   * a device that somebody else had a moment ago does not hold it.
   */
  public Map<DeviceId, List<AttemptId>> holders() {
    Map<DeviceId, List<AttemptId>> holders = new HashMap<>();
    for (TaskRecord task : table.placed()) {
      for (DeviceId device : task.place().devices()) {
        if (task.state() == TaskState.STARTING && offers.wasHeldLately(device)) {
          continue;
        }
        holders.computeIfAbsent(device, id -> new ArrayList<>()).add(task.attemptId());
      }
    }
    return holders;
  }

  /** What each attempt that holds devices was promised. */
  public Map<AttemptId, ResourceRequest> promised() {
    Map<AttemptId, ResourceRequest> promised = new HashMap<>();
    for (TaskRecord task : table.placed()) {
      if (!task.place().devices().isEmpty()) {
        promised.put(task.attemptId(), table.needs(task));
      }
    }
    return promised;
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
        ReportHandler.isRestartable(job) ? sharing.restartableContact().toMillis() : 0,
        job.tasks().get(task.id().index()),
        task.place().devices(),
        job.threads(),
        !task.place().devices().isEmpty(),
        new TaskOrder.JobFacts(job.uuid(), job.name(), job.tasks().size(), table.needs(task)),
        task.place().slot(),
        ending(job, task.id()));
  }

  /** Returns how a user's command is ended; null for what the node ends in its own way. */
  private static TaskOrder.Ending ending(JobSpec job, TaskId task) {
    if (!(job.tasks().get(task.index()) instanceof CommandWorkload)) {
      return null;
    }
    EndingTerms terms = job.terms().ending();
    WarningSignal warning = terms.warning();
    return warning == null
        ? new TaskOrder.Ending(terms.graceMillis(), 0, 0)
        : new TaskOrder.Ending(
            terms.graceMillis(),
            warning.number(),
            job.terms().timeLimitMillis() - warning.leadMillis());
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
    return transitions.jobs().cancel(job, why, now);
  }

  /** Ends what runs, for the server is being stopped; what waits is kept. */
  public List<TaskChange> stop(String why, long now) {
    return transitions.jobs().stop(why, now);
  }

  /** Keeps a job's tasks from starting. */
  public List<TaskChange> hold(JobId job, long now) {
    return transitions.jobs().hold(job, now);
  }

  /** Lets a job's tasks start again, once the jobs before it have ended. */
  public List<TaskChange> release(JobId job, long now) {
    return transitions.jobs().release(job, now);
  }

  /** The node has just joined, perhaps again, and says what it holds. */
  public List<TaskChange> joined(String node, List<TaskReport> held, long now) {
    return reportHandler.joined(node, held, now);
  }

  /** The node says what it holds, having seen the orders up to {@code revision}. */
  public List<TaskChange> reported(String node, List<TaskReport> held, long revision, long now) {
    return reportHandler.reported(node, held, revision, now);
  }

  /** Nothing is heard of the node any more. */
  public List<TaskChange> silent(String node, long now) {
    return reportHandler.silent(node, now);
  }

  /** A silent node is gone for good, and nothing of its tasks runs: so somebody says. */
  public List<TaskChange> nodeGone(String node, String why, long now) {
    return reportHandler.nodeGone(node, why, now);
  }

  /**
   * Looks at the clock: gives up attempts whose node has been silent for longer than its lease can
   * last, and ends those whose time limit has passed.
   */
  public List<TaskChange> tick(long now) {
    return reportHandler.tick(now);
  }

  /** Jobs whose base is another one since this was last asked. */
  public Set<JobId> rebased() {
    return transitions.jobs().rebased();
  }

  /** Jobs that wait for fewer others since this was last asked. */
  public Set<JobId> loosened() {
    return transitions.jobs().loosened();
  }

  /** What the nodes have left. */
  public List<NodeOffer> offers(List<NodeRegistry.Node> nodes, long now) {
    return placement.offers(nodes, now);
  }

  /**
   * Plans and applies one scheduling cycle.
   *
   * @param nextRevision the revision in which a node will first see a new order
   */
  public List<TaskChange> schedule(
      List<NodeRegistry.Node> nodes, ToLongFunction<String> nextRevision, long now) {
    return placement.schedule(nodes, nextRevision, now);
  }

  /** The plan of the last cycle, with the reasons of what waits. */
  public Plan lastPlan() {
    return placement.lastPlan();
  }

  /** Tasks that wait for a place, with the reasons of the last plan. */
  public Map<TaskId, List<WaitReason>> waiting() {
    return placement.waiting();
  }

  /** Why a task that has not started has not; empty for any other, and while it is its turn. */
  public List<WaitReason> whyWaiting(TaskId id, long now) {
    return placement.whyWaiting(id, now);
  }

  /** What became of a worker's event. */
  public enum EventOutcome {
    /** It is the next one and was noted. */
    NEW,
    /** It was noted before. */
    REPEATED,
    /** It belongs to an earlier attempt, or one before it is missing. */
    DROPPED
  }

  /** Notes an event of an attempt's worker. */
  public EventOutcome heard(AttemptId attempt, long sequence, WorkerEvent event) {
    TaskRecord task = table.find(attempt.task());
    if (task == null || !task.state().holdsPlace() || !task.attemptId().equals(attempt)) {
      return EventOutcome.DROPPED;
    }
    if (sequence <= task.lastSequence()) {
      return EventOutcome.REPEATED;
    }
    if (sequence > task.lastSequence() + 1) {
      return EventOutcome.DROPPED;
    }
    table.put(task.heard(sequence, event));
    return EventOutcome.NEW;
  }

  /** Whether a job that ended so is what was waited for. */
  public static boolean isMet(JobDependency dependency, TaskState state) {
    return switch (dependency.when()) {
      case ANY -> true;
      case OK -> state == TaskState.SUCCEEDED;
      case FAIL -> state != TaskState.SUCCEEDED;
    };
  }
}
