package io.remuda.coordinator.job;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorQuestion;
import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.api.LiveClusterView;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.api.NodeConnectionInfo;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.meter.CoordinatorMeters;
import io.remuda.coordinator.node.AgentConnections;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ReceiveBuilder;

/**
 * Answers questions about jobs and nodes; changes nothing. Used only by the coordinator's actor.
 */
public final class JobAndNodeQueries {

  /** The maximum number of tasks that are explained one by one. */
  private static final int MOST_UNENDED = 20;

  /** The maximum number of running jobs that those are told who look on. */
  private static final int MOST_RUNNING = 1000;

  /** How old an activity may be that is told again. */
  private static final long ACTIVITY_NANOS = 250_000_000;

  /** How old a forecast may be that is told once a second. */
  private static final long FORECAST_NANOS = 5_000_000_000L;

  private static final long NANOS_OF_MILLI = 1_000_000;

  /** What a report of a task may be old without a clock being set. */
  private static final long UNEVEN_MILLIS = 60_000;

  private final TaskRegistry tasks;
  private final NodeRegistry nodes;
  private final AgentConnections connections;
  private final CoordinatorMeters meters;
  private final BlockingJobFinder holders;
  private ClusterActivity lastActivity;
  private long lastActivityAt;
  private Map<JobId, JobForecast> forecasts;
  private long forecastsAt;

  public JobAndNodeQueries(
      TaskRegistry tasks,
      NodeRegistry nodes,
      AgentConnections connections,
      CoordinatorMeters meters) {
    this.tasks = tasks;
    this.nodes = nodes;
    this.connections = connections;
    this.meters = meters;
    this.holders = new BlockingJobFinder(tasks);
  }

  /**
   * Adds the questions to a table of messages.
   *
   * @param now monotonic time in nanoseconds
   * @param carryOut carries an answer out
   */
  public ReceiveBuilder<CoordinatorCommand> answeredIn(
      ReceiveBuilder<CoordinatorCommand> table,
      LongSupplier now,
      Function<Decision, Behavior<CoordinatorCommand>> carryOut) {
    return table
        .onMessage(
            CoordinatorQuestion.Explain.class, ask -> carryOut.apply(explain(ask, now.getAsLong())))
        .onMessage(CoordinatorQuestion.LookAtUses.class, ask -> carryOut.apply(uses(ask)))
        .onMessage(
            CoordinatorQuestion.LookAtJobs.class,
            ask -> carryOut.apply(lookAt(ask, now.getAsLong())))
        .onMessage(
            CoordinatorQuestion.LookAtNodes.class,
            ask -> carryOut.apply(Decision.answer(ask.replyTo(), view(now.getAsLong()))))
        .onMessage(
            CoordinatorQuestion.LookAtActivity.class,
            ask -> carryOut.apply(Decision.answer(ask.replyTo(), activity(now.getAsLong()))))
        .onMessage(
            CoordinatorQuestion.LookAtLive.class,
            ask -> carryOut.apply(Decision.answer(ask.replyTo(), live(now.getAsLong()))))
        .onMessage(
            CoordinatorQuestion.LookAtMetrics.class,
            ask -> carryOut.apply(Decision.answer(ask.replyTo(), metrics(ask, now.getAsLong()))));
  }

  /** Several ask once a second, and get the same. */
  private ClusterActivity activity(long now) {
    if (lastActivity == null || now - lastActivityAt > ACTIVITY_NANOS) {
      WaitingCounter.Waits waits = WaitingCounter.count(tasks, forecasts(now), now);
      lastActivity =
          new ClusterActivity(
              view(now), connections.uses().all(), waits.counts(), waits.jobs(), placed());
      lastActivityAt = now;
    }
    return lastActivity;
  }

  private Set<String> placed() {
    return tasks.placed().stream()
        .map(task -> task.attemptId().numbers())
        .collect(Collectors.toSet());
  }

  private LiveClusterView live(long now) {
    LiveJobCounts jobs = LiveJobCounts.of(tasks.liveJobs(), MOST_RUNNING, now);
    return new LiveClusterView(
        activity(now),
        jobs.tasks(),
        jobs.jobs(),
        jobs.oldestWaitSeconds(),
        nextStart(now),
        jobs.running(),
        jobs.left());
  }

  /** Returns in how many milliseconds the first waiting task is expected to start, or null. */
  private Long nextStart(long now) {
    long old = (now - forecastsAt) / NANOS_OF_MILLI;
    return forecasts(now).values().stream()
        .map(JobForecast::startsInMillis)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(millis -> Math.max(0, millis - old))
        .orElse(null);
  }

  /** Returns what is expected of waiting jobs, some seconds old: with many it takes a while. */
  private Map<JobId, JobForecast> forecasts(long now) {
    if (forecasts == null || now - forecastsAt > FORECAST_NANOS) {
      boolean waits = tasks.liveJobs().stream().anyMatch(JobAndNodeQueries::waitsForPlace);
      forecasts = waits ? tasks.forecast(nodes.all(), now) : Map.of();
      forecastsAt = now;
    }
    return forecasts;
  }

  private ClusterMetrics metrics(CoordinatorQuestion.LookAtMetrics ask, long now) {
    LiveJobCounts jobs = LiveJobCounts.of(tasks.liveJobs(), ask.mostJobs(), now);
    Map<DeviceId, DeviceInfo> devices = new HashMap<>();
    Map<String, String> hosts = new HashMap<>();
    int connected = 0;
    for (NodeRegistry.Node node : nodes.all()) {
      node.devices().forEach(device -> devices.put(device.id(), device));
      hosts.put(node.name(), node.host().hostName());
      connected += node.reachable() ? 1 : 0;
    }
    return new ClusterMetrics(
        activity(now),
        devices,
        hosts,
        connected,
        jobs.tasks(),
        jobs.jobs(),
        jobs.oldestWaitSeconds(),
        jobs.running(),
        jobs.left(),
        meters.readings());
  }

  /** Answers why a job waits. */
  private Decision explain(CoordinatorQuestion.Explain command, long now) {
    JobId id = command.job();
    return Decision.answer(
        command.replyTo(),
        tasks
            .live(id)
            .map(job -> Reply.of(explanation(job, now)))
            .orElseGet(
                () ->
                    Reply.no(
                        Rejection.of(
                            Rejection.Code.NOT_FOUND,
                            "job " + id + " is over, or there is none"))));
  }

  /** Answers how far jobs are. */
  private Decision lookAt(CoordinatorQuestion.LookAtJobs command, long now) {
    Map<JobId, LiveJobProgress> views = new HashMap<>();
    boolean waits =
        command.jobs().stream()
            .anyMatch(id -> tasks.live(id).filter(JobAndNodeQueries::waitsForPlace).isPresent());
    Map<JobId, JobForecast> forecasts = waits ? tasks.forecast(nodes.all(), now) : Map.of();
    Map<JobId, SortedSet<String>> places = places(command.jobs());
    for (JobId id : command.jobs()) {
      tasks
          .live(id)
          .ifPresent(job -> views.put(id, view(job, forecasts.get(id), places.get(id), now)));
    }
    return Decision.answer(command.replyTo(), views);
  }

  /** Answers what running tasks have used; costs next to nothing, unlike a view of the job. */
  private Decision uses(CoordinatorQuestion.LookAtUses command) {
    return Decision.answer(command.replyTo(), connections.uses().of(command.job()));
  }

  /** Returns the nodes where tasks of these jobs are; of the others nothing. */
  private Map<JobId, SortedSet<String>> places(List<JobId> jobs) {
    Map<JobId, SortedSet<String>> places = new HashMap<>();
    jobs.forEach(job -> places.put(job, new TreeSet<>()));
    if (places.keySet().stream().anyMatch(this::hasPlace)) {
      tasks.placed().stream()
          .filter(task -> places.containsKey(task.id().job()))
          .forEach(task -> places.get(task.id().job()).add(task.place().node()));
    }
    return places;
  }

  private boolean hasPlace(JobId job) {
    return tasks.stateOf(job).filter(TaskState::holdsPlace).isPresent();
  }

  private LiveJobProgress view(
      LiveJob job, JobForecast forecast, SortedSet<String> places, long now) {
    TaskRecord first = job.firstBefore();
    Map<Integer, TaskUse> uses = connections.uses().of(job.spec().id());
    return new LiveJobProgress(
        tasks.counts(job.spec().id()),
        first == null ? List.of() : tasks.whyWaiting(first.id(), now),
        uses,
        waitsForPlace(job) ? forecast : null,
        places,
        null,
        ranMillis(job, uses, now));
  }

  /**
   * Returns how long a job has run; null if it has not. Since when is on this server's monotonic
   * clock, but for a job from before its start, which has it from the wall clock: its keeper knows
   * better if that was set, as long as it is about one attempt of one task.
   */
  private static Long ranMillis(LiveJob job, Map<Integer, TaskUse> uses, long now) {
    if (!job.hasBegun()) {
      return null;
    }
    long seen = Math.max(0, job.ranFor(now) / 1_000_000);
    boolean once = job.spec().tasks().size() == 1 && job.tasks().get(0).attempt() == 1;
    Long told = once && uses.containsKey(0) ? uses.get(0).ranMillis() : null;
    return told != null && Math.abs(told - seen) > UNEVEN_MILLIS ? told : Long.valueOf(seen);
  }

  /** Returns whether a task of a job waits for a place, also while others run. */
  private static boolean waitsForPlace(LiveJob job) {
    return job.count(TaskState.WAITING) > 0;
  }

  private Explanation explanation(LiveJob job, long now) {
    JobId id = job.spec().id();
    TaskRecord first = job.firstBefore();
    List<WaitReason> reasons = first == null ? List.of() : tasks.whyWaiting(first.id(), now);
    return new Explanation(
        id,
        job.state(),
        tasks.counts(id),
        job.spec().request(),
        reasons,
        unended(id),
        holders.of(reasons, now),
        waitsForPlace(job) ? tasks.forecast(nodes.all(), now).get(id) : null);
  }

  private Map<TaskId, String> unended(JobId id) {
    Map<TaskState, Integer> counts = tasks.counts(id);
    if (counts.keySet().stream()
        .noneMatch(
            state ->
                state == TaskState.STARTING || state == TaskState.UNKNOWN || state.isLeaving())) {
      return Map.of();
    }
    Map<TaskId, String> unended = new HashMap<>();
    tasks.of(id).stream()
        .filter(task -> task.whyNotOver().isPresent())
        .limit(MOST_UNENDED)
        .forEach(task -> unended.put(task.id(), task.whyNotOver().get()));
    return unended;
  }

  /** Returns the resources of all nodes. */
  private ClusterNodesSnapshot view(long now) {
    Map<String, Integer> running = new HashMap<>();
    Map<String, List<TaskReport>> foreign = new HashMap<>();
    Map<String, NodeConnectionInfo> contacts = new HashMap<>();
    Map<String, Long> since = connections.since();
    for (NodeRegistry.Node node : nodes.all()) {
      contacts.put(node.name(), contact(node, since.get(node.name()), now));
      running.put(node.name(), tasks.placedOn(node.name()));
      foreign.put(node.name(), node.foreign());
    }
    return new ClusterNodesSnapshot(
        tasks.offers(nodes.all(), now),
        running,
        tasks.holders(),
        tasks.promised(),
        nodes.samples(),
        foreign,
        connections.builds(),
        connections.machines(),
        contacts);
  }

  private NodeConnectionInfo contact(NodeRegistry.Node node, Long connectedSince, long now) {
    Long since = nodes.silentSince(node.name()).orElse(connectedSince);
    return new NodeConnectionInfo(
        node.network().address(),
        since == null ? null : Duration.ofNanos(Math.max(0, now - since)).toSeconds(),
        nodes.whyLeft(node.name()).orElse(null));
  }
}
