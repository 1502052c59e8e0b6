package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.schedule.NodeOffer;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.Request;
import io.remuda.coordinator.schedule.RoundRobin;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
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
 * All tasks and the rules by which plans, reports and silence change them. Every change goes
 * through {@link Lifecycle}; a report that does not fit the newest attempt changes nothing. Times
 * are nanoseconds of one monotonic clock. One thread.
 */
public final class TaskRegistry {

  private final RetryPolicy retry;
  private final Map<JobId, JobSpec> jobs = new TreeMap<>();
  private final Map<TaskId, TaskRecord> tasks = new TreeMap<>();
  private final Map<DeviceId, Long> avoidUntil = new HashMap<>();
  private Map<JobId, String> lastNode = Map.of();
  private Plan lastPlan = new Plan(List.of(), Map.of(), Map.of());

  public TaskRegistry(RetryPolicy retry) {
    this.retry = retry;
  }

  public void submit(JobSpec job, long now) {
    jobs.put(job.id(), job);
    for (int index = 0; index < job.tasks().size(); index++) {
      TaskId id = new TaskId(job.id(), index);
      tasks.put(id, TaskRecord.waiting(id, now));
    }
  }

  public Optional<TaskRecord> find(TaskId id) {
    return Optional.ofNullable(tasks.get(id));
  }

  public Collection<TaskRecord> all() {
    return List.copyOf(tasks.values());
  }

  /** The tasks of one job by index. */
  public List<TaskRecord> of(JobId job) {
    return tasks.values().stream().filter(task -> task.id().job().equals(job)).toList();
  }

  /** The plan of the last cycle, with the reasons of what waits. */
  public Plan lastPlan() {
    return lastPlan;
  }

  /** Tasks that wait for a place, with the reasons of the last plan. */
  public Map<TaskId, List<WaitReason>> waiting() {
    Map<TaskId, List<WaitReason>> reasons = new TreeMap<>();
    lastPlan
        .waiting()
        .forEach(
            (id, why) -> {
              if (tasks.get(id).state() == TaskState.WAITING) {
                reasons.put(id, why);
              }
            });
    return reasons;
  }

  /** Whether this attempt is the newest of its task and has a place. */
  public boolean isPlaced(AttemptId attempt) {
    return find(attempt.task())
        .filter(task -> task.attempt() == attempt.attempt() && task.state().holdsPlace())
        .isPresent();
  }

  /** Devices that tasks hold, on whatever node. */
  public Set<DeviceId> lentDevices() {
    return tasks.values().stream()
        .filter(task -> task.state().holdsPlace())
        .flatMap(task -> task.place().devices().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The attempt that holds each lent device. */
  public Map<DeviceId, AttemptId> holders() {
    Map<DeviceId, AttemptId> holders = new HashMap<>();
    for (TaskRecord task : tasks.values()) {
      if (task.state().holdsPlace()) {
        task.place().devices().forEach(device -> holders.put(device, task.attemptId()));
      }
    }
    return holders;
  }

  /**
   * Plans and applies one scheduling cycle.
   *
   * @param nextRevision the revision in which a node will first see a new order
   */
  public List<TaskChange> schedule(
      Collection<NodeRegistry.Node> nodes, ToLongFunction<String> nextRevision, long now) {
    List<Request> queue =
        tasks.values().stream()
            .filter(task -> task.state() == TaskState.WAITING && task.notBefore() - now <= 0)
            .map(task -> new Request(task.id(), jobs.get(task.id().job()).request()))
            .toList();
    if (queue.isEmpty()) {
      return List.of();
    }
    Set<DeviceId> lent = lentDevices();
    Map<String, Long> used = memoryUsed(nodes);
    List<NodeOffer> offers = nodes.stream().map(node -> offer(node, lent, used, now)).toList();
    lastPlan = RoundRobin.plan(offers, queue, lastNode);
    lastNode = lastPlan.lastNode();
    List<TaskChange> changes = new ArrayList<>();
    for (Plan.Placement placement : lastPlan.placements()) {
      TaskRecord before = tasks.get(placement.task());
      TaskRecord after =
          before.placed(
              new TaskRecord.Place(
                  placement.node(),
                  placement.devices(),
                  nextRevision.applyAsLong(placement.node()),
                  0));
      tasks.put(after.id(), after);
      changes.add(change(after, before.state(), TaskTrigger.PLACED, after.state()));
    }
    return changes;
  }

  /** What placed tasks asked for, in bytes, for each machine. */
  private Map<String, Long> memoryUsed(Collection<NodeRegistry.Node> nodes) {
    Map<String, Long> used = new HashMap<>();
    for (NodeRegistry.Node node : nodes) {
      for (TaskRecord task : at(node.name())) {
        long memory = jobs.get(task.id().job()).request().memory();
        used.merge(node.host().hostName(), memory, Long::sum);
      }
    }
    return used;
  }

  private NodeOffer offer(
      NodeRegistry.Node node, Set<DeviceId> lent, Map<String, Long> used, long now) {
    List<DeviceId> free =
        node.deviceIds().stream()
            .filter(device -> !lent.contains(device))
            .filter(device -> !node.unhealthy().contains(device))
            .filter(device -> avoidUntil.getOrDefault(device, now) - now <= 0)
            .toList();
    String machine = node.host().hostName();
    return new NodeOffer(
        node.name(),
        machine,
        node.reachable(),
        node.deviceIds(),
        free,
        node.host().memAllowed() - used.getOrDefault(machine, 0L),
        node.host().memAllowed());
  }

  /** What should run on a node. */
  public List<TaskOrder> orders(String node) {
    return tasks.values().stream()
        .filter(task -> task.state().holdsPlace() && task.state() != TaskState.ENDING)
        .filter(task -> task.place().node().equals(node))
        .map(this::order)
        .toList();
  }

  private TaskOrder order(TaskRecord task) {
    JobSpec job = jobs.get(task.id().job());
    return new TaskOrder(
        task.attemptId(),
        job.user(),
        job.tied(),
        job.tasks().get(task.id().index()),
        task.place().devices(),
        Math.max(1, (int) job.request().cpus()),
        !task.place().devices().isEmpty());
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
    for (TaskRecord known : at(node)) {
      TaskRecord task = heardAgain(known);
      TaskReport report = byAttempt.get(task.attemptId());
      if (report != null) {
        changes.addAll(seen(task, report, now));
      } else if (isMissing(task, revision)) {
        changes.addAll(ended(task, nodeGone("its node no longer has it"), now));
      }
    }
    return changes;
  }

  /** An ending task keeps its state while its node is silent; only the silence is over. */
  private TaskRecord heardAgain(TaskRecord task) {
    if (task.state() != TaskState.ENDING || task.place().silentSince() == 0) {
      return task;
    }
    TaskRecord again = task.silentSince(0);
    tasks.put(again.id(), again);
    return again;
  }

  /** An order that the node has not seen yet cannot be missing there. */
  private static boolean isMissing(TaskRecord task, long revision) {
    boolean maybeUnseen = task.state() == TaskState.STARTING || task.state() == TaskState.ENDING;
    return !maybeUnseen || revision >= task.place().sinceRevision();
  }

  private List<TaskRecord> at(String node) {
    return tasks.values().stream()
        .filter(task -> task.state().holdsPlace() && task.place().node().equals(node))
        .toList();
  }

  private List<TaskChange> seen(TaskRecord task, TaskReport report, long now) {
    return switch (report.phase()) {
      case STARTING -> fire(task, TaskTrigger.SEEN_STARTING);
      case RUNNING, ENDING -> fire(task, TaskTrigger.SEEN_RUNNING);
      case ENDED -> ended(task, report.end(), now);
      case REFUSED -> refused(task, report.end(), now);
    };
  }

  private List<TaskChange> refused(TaskRecord task, TaskEnd end, long now) {
    if (task.state() == TaskState.ENDING) {
      return fire(task, TaskTrigger.GONE);
    }
    if (end.kind() == TaskEnd.Kind.DEVICE_BUSY) {
      long until = now + retry.maxDelay().toNanos();
      task.place().devices().forEach(device -> avoidUntil.put(device, until));
      return fire(task.delayed(now, end.cause()), TaskTrigger.REFUSED);
    }
    return interrupted(task, end, now);
  }

  private List<TaskChange> ended(TaskRecord task, TaskEnd end, long now) {
    if (task.state() == TaskState.ENDING) {
      return fire(task.because(end.cause()), TaskTrigger.GONE);
    }
    if (task.outcome() instanceof WorkerEvent.Failed failed) {
      return fire(task.because(failed.cause()), TaskTrigger.BROKE);
    }
    if (task.outcome() != null) {
      return fire(task.because(end.cause()), TaskTrigger.FINISHED);
    }
    return interrupted(task, end, now);
  }

  private static TaskEnd nodeGone(String cause) {
    return TaskEnd.because(TaskEnd.Kind.NODE_GONE, cause);
  }

  private List<TaskChange> interrupted(TaskRecord task, TaskEnd end, long now) {
    TaskRecord noted = task.interrupted(end, now + retry.delayNanos(task.interruptions()));
    return fire(
        noted,
        retry.exhausted(noted) ? TaskTrigger.INTERRUPTED_TOO_OFTEN : TaskTrigger.INTERRUPTED);
  }

  /** Nothing is heard of the node any more. */
  public List<TaskChange> silent(String node, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord task : at(node)) {
      if (task.place().silentSince() == 0) {
        TaskRecord silent = task.silentSince(now);
        tasks.put(silent.id(), silent);
        changes.addAll(fire(silent, TaskTrigger.NODE_SILENT));
      }
    }
    return changes;
  }

  /** Gives up attempts whose node has been silent for longer than its lease can last. */
  public List<TaskChange> tick(long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord task : all()) {
      boolean silent = task.place() != null && task.place().silentSince() != 0;
      if (silent && now - task.place().silentSince() > retry.silence().toNanos()) {
        if (task.state() == TaskState.UNKNOWN || task.state() == TaskState.ENDING) {
          changes.addAll(ended(task, nodeGone("its node was silent beyond its lease"), now));
        }
      }
    }
    return changes;
  }

  /** From now on the tasks of a job take no device; those that hold one keep it. */
  public void withoutGpus(JobId job) {
    jobs.computeIfPresent(
        job,
        (id, spec) ->
            new JobSpec(
                id,
                spec.uuid(),
                spec.name(),
                spec.user(),
                spec.tied(),
                spec.request().withoutGpus(),
                spec.tasks()));
  }

  /** Ends every task of a job. */
  public List<TaskChange> cancel(JobId job) {
    List<TaskChange> changes = new ArrayList<>();
    of(job).forEach(task -> changes.addAll(fire(task, TaskTrigger.CANCEL)));
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
    TaskRecord task = tasks.get(attempt.task());
    if (task == null || task.attempt() != attempt.attempt() || !task.state().holdsPlace()) {
      return Heard.DROPPED;
    }
    if (sequence <= task.lastSequence()) {
      return Heard.REPEATED;
    }
    if (sequence > task.lastSequence() + 1) {
      return Heard.DROPPED;
    }
    tasks.put(task.id(), task.heard(sequence, event));
    return Heard.NEW;
  }

  private List<TaskChange> fire(TaskRecord task, TaskTrigger trigger) {
    Optional<TaskState> next = Lifecycle.next(task.state(), trigger);
    if (next.isEmpty()) {
      return List.of(); // seen running while running, and the like
    }
    TaskState from = task.state();
    TaskRecord moved = task.in(next.get());
    if (next.get() != TaskState.UNKNOWN && moved.place() != null && from == TaskState.UNKNOWN) {
      moved = moved.silentSince(0);
    }
    TaskChange change = change(moved, from, trigger, next.get());
    tasks.put(moved.id(), next.get().holdsPlace() ? moved : moved.withoutPlace());
    return List.of(change);
  }

  private static TaskChange change(
      TaskRecord task, TaskState from, TaskTrigger trigger, TaskState to) {
    TaskRecord.Place place = task.place();
    return new TaskChange(
        new AttemptId(task.id(), Math.max(1, task.attempt())),
        from,
        trigger,
        to,
        place == null ? null : place.node(),
        place == null ? List.of() : place.devices(),
        task.cause());
  }
}
