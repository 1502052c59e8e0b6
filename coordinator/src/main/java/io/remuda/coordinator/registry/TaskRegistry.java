package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.load.QueueLoad;
import io.remuda.coordinator.registry.policy.FailingNodes;
import io.remuda.coordinator.registry.policy.FairShareUsage;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.policy.ServerEndTime;
import io.remuda.coordinator.registry.policy.UserLimitTracker;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.registry.task.WorkerEventAcceptance;
import io.remuda.coordinator.schedule.CycleTimes;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All live tasks, and the rules by which plans, reports, silent nodes and users change them. Every
 * change goes through {@link Lifecycle}; a report that does not match the newest attempt changes
 * nothing. Times are nanoseconds of one monotonic clock. Single-threaded.
 */
public final class TaskRegistry {

  /** The policy of a coordinator of one run, with one user and short waiting times. */
  private static final SchedulingSettings ONE_RUN =
      new SchedulingSettings(
          Duration.ofMinutes(1), Duration.ofDays(1), Duration.ZERO, Duration.ZERO);

  /** The revision of an order that was not sent yet. */
  public static final long NOT_ORDERED = Long.MAX_VALUE;

  private final Profiles profiles = new Profiles();
  private final QueueLoad load = new QueueLoad();
  private final TaskTable table;
  private final FairShareUsage shares;
  private final TaskTransitions transitions;
  private final ReportHandler reportHandler;
  private final PlacementCycle placement;
  private final AgentOrderBuilder orders;
  private final DeviceHolders holders;
  private final JobTimeEnforcer times;
  private final JobRequestHandler requests;

  public TaskRegistry(RetryPolicy retry) {
    this(retry, ONE_RUN, 0);
  }

  public TaskRegistry(RetryPolicy retry, SchedulingSettings sharing, long now) {
    RecentDurations durations = new RecentDurations(sharing.ahead());
    this.table = new TaskTable(profiles, now);
    table.use().limitTests(sharing.tests());
    OfferCache offers = new OfferCache(table, retry.gpuRests());
    this.orders = new AgentOrderBuilder(table, sharing);
    this.holders = new DeviceHolders(table, offers);
    this.shares = new FairShareUsage(sharing.useHalfLife(), now);
    CoLocationTimeMeter coLocation = new CoLocationTimeMeter();
    this.transitions = new TaskTransitions(table, shares, coLocation);
    this.times = new JobTimeEnforcer(table, transitions);
    ProfileUpdates profileUpdates = new ProfileUpdates(table, profiles, offers, coLocation);
    FailingNodes failingNodes = new FailingNodes(retry.avoidance());
    this.reportHandler =
        new ReportHandler(
            table, transitions, retry, sharing, durations, offers, profileUpdates, failingNodes);
    this.placement =
        new PlacementCycle(
            table, transitions, shares, sharing, durations, offers, profiles, failingNodes);
    this.requests = new JobRequestHandler(table, transitions, reportHandler, placement);
  }

  /** Sets the birth of the state file in which later attempts are placed; 0 for none. */
  public void placeIn(long birth) {
    transitions.placeIn(birth);
  }

  /** Returns the shares of users, and what they have used. */
  public FairShareUsage shares() {
    return shares;
  }

  /** Returns what the tasks of each user have, and the limits of users. */
  public UserLimitTracker userUse() {
    return table.use();
  }

  /** Adds the profiles of an earlier coordinator. */
  public void restoreProfiles(Collection<Profile> known) {
    profiles.restore(known);
  }

  public List<Profiles.Change> takeProfiles() {
    return profiles.takeChanges();
  }

  /** Returns what attempts used that have left their places. */
  public UsageAccumulator usage() {
    return transitions.usage();
  }

  /** Deletes a type's profile, so that its next task is measured; returns whether it had one. */
  public boolean forgetProfile(JobType type) {
    boolean there = profiles.of(type).isPresent();
    table.learn(type, () -> profiles.forget(type));
    return there;
  }

  /** Returns what a task of a new job needs, with the memory measured for its type if known. */
  public ResourceRequest needs(ResourceRequest asked, Optional<JobType> type) {
    return table.needs(asked, type);
  }

  /** Returns the slots in use on a node. */
  public int placedOn(String node) {
    return table.slots(node).size();
  }

  /** Adds a job without open dependencies that may start as soon as there is capacity. */
  public void submit(JobSpec job, long now) {
    submit(job, Set.of(), ImmediateOrHeldStart.AT_ONCE, now);
  }

  /** Adds a new job; {@code open} are the dependencies that are not met yet. */
  public void submit(JobSpec job, Set<JobDependency> open, ImmediateOrHeldStart start, long now) {
    boolean free = open.isEmpty() && job.terms().beginMillis() == 0;
    TaskState first = free ? TaskState.WAITING : TaskState.SUBMITTED;
    add(
        new JobEntry(job, start == ImmediateOrHeldStart.ON_HOLD ? TaskState.HELD : first, now),
        open,
        now);
  }

  private void add(JobEntry entry, Set<JobDependency> open, long now) {
    entry.open().addAll(open);
    table.add(entry, now);
    entry.counted().begin(load);
    transitions.jobs().gates().await(entry.spec());
    transitions.jobs().follow(entry.spec().id(), open);
  }

  /** Adds a stored job; its placed tasks count as silent until their nodes report. */
  public void restore(RestoredJob stored, long now) {
    JobEntry entry = JobEntry.restored(stored, now);
    for (TaskRecord task : stored.changed()) {
      entry.put(
          task instanceof PlacedTask placed ? placement.withSlot(placed.silentSince(now)) : task);
    }
    add(entry, stored.open(), now);
    transitions.jobs().restored(entry, now);
    transitions.restored(stored.changed(), now);
  }

  /** Reduces the record of an ended task to its state, since the store has the rest. */
  public void isKept(TaskId id) {
    Optional.ofNullable(table.job(id.job())).ifPresent(job -> job.isKept(id.index()));
  }

  /** Returns what can be read of a job. */
  public Optional<LiveJob> live(JobId id) {
    return Optional.ofNullable(table.job(id));
  }

  /** Returns a view of all live jobs. */
  public Collection<? extends LiveJob> liveJobs() {
    return table.jobs();
  }

  /** Returns the tasks that hold a place. */
  public List<PlacedTask> placed() {
    return table.placed();
  }

  /** Returns whether tasks have yet to follow a change of their job. */
  public boolean isUnsettled() {
    return transitions.jobs().isUnsettled();
  }

  /** Returns whether tasks of this job have yet to follow its base. */
  public boolean isUnsettled(JobId job) {
    return transitions.jobs().isUnsettled(job);
  }

  /** Lets the next portion of these tasks follow; its size limits the time that this takes. */
  public List<TaskChange> settle(long now) {
    return transitions.jobs().settle(now);
  }

  /** Returns how many tasks wait, and how many have a place. */
  public QueueLoad load() {
    return load;
  }

  /** Removes an ended job. */
  public void drop(JobId job) {
    Optional.ofNullable(table.job(job)).ifPresent(ended -> ended.counted().end());
    table.drop(job);
    transitions.jobs().forget(job);
    placement.forget(job);
  }

  public Optional<TaskRecord> find(TaskId id) {
    return Optional.ofNullable(table.find(id));
  }

  /** Returns the specification of a job. */
  public Optional<JobSpec> job(JobId id) {
    return Optional.ofNullable(table.job(id)).map(JobEntry::spec);
  }

  /** Returns all jobs by number. */
  public List<JobSpec> jobs() {
    return table.jobs().stream().map(JobEntry::spec).toList();
  }

  /** Returns the state of a job as a whole. */
  public Optional<TaskState> stateOf(JobId id) {
    return Optional.ofNullable(table.job(id)).map(JobEntry::state);
  }

  /** Stores the first revision in which a node sees the order, before which it may lack it. */
  public void ordered(AttemptId attempt, long revision) {
    if (table.find(attempt.task()) instanceof PlacedTask task
        && task.attempt() == attempt.attempt()
        && task.progress().sinceRevision() != revision) {
      table.put(task.orderedIn(revision));
    }
  }

  /** Returns the number of a job's tasks by state, without states that no task is in. */
  public Map<TaskState, Integer> counts(JobId id) {
    return Optional.ofNullable(table.job(id)).map(JobEntry::counts).orElse(Map.of());
  }

  /** Returns the tasks of a job by index. */
  public List<TaskRecord> of(JobId job) {
    return live(job).map(LiveJob::tasks).orElse(List.of());
  }

  /** Returns the task of an attempt that is the newest of its task and has a place. */
  public Optional<PlacedTask> placed(AttemptId attempt) {
    return table.find(attempt.task()) instanceof PlacedTask task && task.attemptId().equals(attempt)
        ? Optional.of(task)
        : Optional.empty();
  }

  /** Returns the attempts that hold each lent device, by number, as {@link DeviceHolders} does. */
  public Map<DeviceId, List<AttemptId>> holders() {
    return holders.byDevice();
  }

  /** Returns the resources promised to each attempt that holds devices. */
  public Map<AttemptId, ResourceRequest> promised() {
    return holders.promised();
  }

  /** Returns the order for a task that holds a place. */
  public TaskStartOrder order(PlacedTask task) {
    return orders.order(task);
  }

  /** Has the tasks of a node wait again of which nothing runs any more. */
  public List<TaskChange> nodeTakenAway(String node, String why, long now) {
    return reportHandler.nodeTakenAway(node, why, now);
  }

  /**
   * Sets when the server ends, before which tasks that start must reach their time limits; called
   * in a Slurm allocation only.
   */
  public void serverEnds(ServerEndTime end) {
    reportHandler.slurm().inAllocation();
    placement.serverEnds(end);
  }

  /** Returns what users may ask of live jobs. */
  public JobRequestHandler requests() {
    return requests;
  }

  /** Handles the reports of a node that has just joined, for the first time or again. */
  public List<TaskChange> joined(String node, List<TaskReport> held, long now) {
    return reportHandler.joined(node, held, now);
  }

  /** Handles the reports of a node that has seen its desired state up to {@code revision}. */
  public List<TaskChange> reported(String node, List<TaskReport> held, long revision, long now) {
    return reportHandler.reported(node, held, revision, now);
  }

  /** Handles the loss of a node's connection. */
  public List<TaskChange> silent(String node, long now) {
    return reportHandler.silent(node, now);
  }

  /** Ends the tasks of a silent node that a user has declared permanently gone. */
  public List<TaskChange> nodeGone(String node, String why, long now) {
    return reportHandler.nodeGone(node, why, now);
  }

  /** Lets the jobs begin whose time has come; {@code wallMillis} are since 1970. */
  public List<TaskChange> begin(long wallMillis, long now) {
    placement.at(wallMillis);
    return times.begin(wallMillis, now);
  }

  /** Gives up attempts on nodes silent beyond the contact deadline; ends overdue attempts. */
  public List<TaskChange> tick(long now) {
    List<TaskChange> restored = transitions.jobs().gates().followRestored(now);
    return Stream.of(
            restored, reportHandler.tick(now), times.tick(now), transitions.gangs().tick(now))
        .flatMap(List::stream)
        .toList();
  }

  /** Returns the members of failed gangs, by node, that must not take longer to end. */
  public Map<String, List<AttemptId>> overdueMembers(long now) {
    return transitions.gangs().overdue(now);
  }

  /** Returns the jobs with a new base state since the last call. */
  public Set<JobId> rebased() {
    return transitions.jobs().rebased();
  }

  /** Returns the jobs with fewer open dependencies since the last call. */
  public Set<JobId> loosened() {
    return transitions.jobs().loosened();
  }

  public List<NodeOffer> offers(List<NodeRegistry.Node> nodes, long now) {
    return placement.offers(nodes, now);
  }

  /** Plans and applies one scheduling cycle, without noting its times. */
  public List<TaskChange> schedule(List<NodeRegistry.Node> nodes, long now) {
    return schedule(nodes, new CycleTimes(() -> now), now);
  }

  /** Plans and applies one cycle. Nodes learn of new places when they are {@link #ordered}. */
  public List<TaskChange> schedule(List<NodeRegistry.Node> nodes, CycleTimes times, long now) {
    return placement.run(nodes, times, now);
  }

  /** Returns the tasks that wait for a place, with reasons from the last plan. */
  public Map<TaskId, List<WaitReason>> waiting() {
    return placement.waiting();
  }

  /** Returns why a task has not started; empty for other tasks and before its first plan. */
  public List<WaitReason> whyWaiting(TaskId id, long now) {
    return placement.whyWaiting(id, now);
  }

  public Map<JobId, JobForecast> forecast(List<NodeRegistry.Node> nodes, long now) {
    return placement.forecast(nodes, now);
  }

  /** Stores an event of an attempt's worker. */
  public WorkerEventAcceptance heard(AttemptId attempt, long sequence, WorkerEvent event) {
    Optional<PlacedTask> task = placed(attempt);
    long last = task.map(placed -> placed.progress().lastSequence()).orElse(0L);
    if (task.isEmpty() || sequence > last + 1) {
      return WorkerEventAcceptance.DROPPED;
    }
    if (sequence <= last) {
      return WorkerEventAcceptance.REPEATED;
    }
    table.put(task.get().heard(sequence, event));
    return WorkerEventAcceptance.NEW;
  }
}
