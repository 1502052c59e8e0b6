package io.remuda.coordinator.replay;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * Runs the jobs of a past again: they are submitted as they were, the registry of the job service
 * decides, and each task takes as long as it took. Tasks begin at once; who is asked to leave
 * leaves at once, and a training goes on from where it was. Single-threaded.
 */
public final class Replay {

  private static final RetryPolicy RETRY =
      new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofDays(1));
  private static final long REVIEW_MILLIS = 60_000;

  /** The registry asks more tasks to leave after this time. */
  private static final long ROUND_MILLIS = 1000;

  private static final long NANOS = 1_000_000;

  /** The registry takes 0 for "never". */
  private static final long FIRST_NANOS = 1_000_000_000;

  /** Rounds of plans at one moment; each but the last places something or asks it to leave. */
  private static final int MOST_ROUNDS = 1000;

  /** What happens at a time; ends before arrivals, so that what becomes free is there for them. */
  private record Due(long at, int kind, long order, AttemptId ends) {
    static final int END = 0;
    static final int ARRIVAL = 1;
    static final int REVIEW = 2;
    static final int ROUND = 3;
  }

  /** A task that has a place. */
  private record Run(AttemptId attempt, String node, List<DeviceId> devices, long since) {}

  private final Past past;
  private final ReplayNodes machines;
  private final NodeRegistry nodes;
  private final TaskRegistry tasks;
  private final SchedulingSettings rules;
  private final ReplayJobs jobs;
  private final LongConsumer progress;
  private final PriorityQueue<Due> dues =
      new PriorityQueue<>(
          Comparator.comparingLong(Due::at).thenComparing(Due::kind).thenComparing(Due::order));
  private final Map<String, Map<AttemptId, TaskReport>> held = new HashMap<>();
  private final Map<TaskId, Run> running = new HashMap<>();
  private final Map<TaskId, Long> done = new HashMap<>();
  private final Set<Long> ended = new HashSet<>();
  private final ReplaySummary.Builder sums;
  private long order;
  private long waiting;
  private long finished;
  private boolean reviewDue;
  private boolean hasAsked;
  private long now;

  private Replay(Past past, WhatIf change, LongConsumer progress) {
    this.past = past;
    this.progress = progress;
    this.machines = past.nodes().with(change.added());
    this.nodes = machines.registry();
    SchedulingSettings as = past.rules();
    this.rules =
        new SchedulingSettings(
            as.reserveAfter(),
            as.useHalfLife(),
            as.restartableContact(),
            Duration.ZERO,
            as.claims(),
            as.firstRun(),
            as.counted(),
            change.order() == null ? as.order() : change.order(),
            as.tests());
    this.tasks = new TaskRegistry(RETRY, rules, FIRST_NANOS);
    past.shares().forEach(tasks.shares()::share);
    past.limits().forEach(tasks.userUse()::limit);
    this.jobs = ReplayJobs.of(past, change.policy(), new FitTrial(machines, rules));
    this.sums = new ReplaySummary.Builder(past.fromMillis(), past.toMillis(), machines.gpus());
  }

  /**
   * Runs it.
   *
   * @param change what is other than in the past
   * @param progress gets the number of ended tasks
   */
  public static ReplaySummary run(Past past, WhatIf change, LongConsumer progress) {
    return new Replay(past, change, progress).all();
  }

  private ReplaySummary all() {
    for (ReplayJobs.Job job : jobs.all()) {
      dues.add(new Due(job.arrivesMillis(), Due.ARRIVAL, job.id(), null));
    }
    while (!dues.isEmpty()) {
      now = dues.peek().at();
      Set<String> changed = new TreeSet<>();
      boolean anything = false;
      while (!dues.isEmpty() && dues.peek().at() == now) {
        anything |= dues.peek().kind() < Due.REVIEW;
        happens(dues.poll(), changed);
      }
      report(changed);
      cycle();
      if (waiting > 0 && jobs.anyMayLeave() && (anything || hasAsked)) {
        dues.add(new Due(now + ROUND_MILLIS, Due.ROUND, 0, null));
      }
      hasAsked = false;
      if (!reviewDue && waiting > 0 && !running.isEmpty() && jobs.anyMayLeave()) {
        reviewDue = true;
        dues.add(new Due(now + REVIEW_MILLIS, Due.REVIEW, 0, null));
      }
    }
    return sums.summary(jobs.leftOut() + (int) waiting);
  }

  private long nanos() {
    return (now - past.fromMillis()) * NANOS + 2 * FIRST_NANOS;
  }

  private void happens(Due due, Set<String> changed) {
    switch (due.kind()) {
      case Due.ARRIVAL -> submit(jobs.get(due.order()));
      case Due.END -> end(due.ends(), changed);
      case Due.REVIEW -> reviewDue = false;
      default -> {}
    }
  }

  private void submit(ReplayJobs.Job job) {
    Set<JobDependency> open = new HashSet<>();
    for (long before : job.after()) {
      if (!ended.contains(before)) {
        open.add(new JobDependency(new JobId(before), JobDependency.When.ANY));
      }
    }
    waiting += job.tasks().size();
    if (open.isEmpty()) {
      job.readyAt(now);
    }
    tasks.submit(job.spec(), open, ImmediateOrHeldStart.AT_ONCE, nanos());
    if (job.wasThere()) {
      cycle(); // before those that came later
    }
  }

  private void end(AttemptId attempt, Set<String> changed) {
    Run run = running.get(attempt.task());
    if (run == null || !run.attempt().equals(attempt)) {
      return; // it has left before
    }
    running.remove(attempt.task());
    ReplayJobs.Job job = jobs.get(attempt.task().job().value());
    PastTask task = job.tasks().get(attempt.task().index());
    free(run);
    if (!job.wasThere()) {
      sums.task(job.spec().user(), now - job.readyAt(), task.ranMillis());
    }
    finished++;
    progress.accept(finished);
    changed.add(run.node());
    TaskEnd end =
        task.succeeded()
            ? new TaskEnd(
                TaskEnd.Kind.BY_ITSELF,
                0,
                null,
                "exit code 0",
                null,
                null,
                task.ranMillis(),
                task.gpuPeakBytes() == null ? null : new TaskEnd.GpuUse(task.gpuPeakBytes(), null),
                null)
            : TaskEnd.because(TaskEnd.Kind.ON_REQUEST, "as it was"); // teaches nothing
    note(attempt, run.node(), TaskPhase.ENDED, end);
  }

  private void free(Run run) {
    run.devices().forEach(device -> sums.held(device, run.since(), now));
  }

  private void note(AttemptId attempt, String node, TaskPhase phase, TaskEnd end) {
    held.computeIfAbsent(node, any -> new TreeMap<>())
        .put(attempt, new TaskReport(attempt, phase, 1, null, end));
  }

  private void cycle() {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      List<TaskChange> changes = tasks.schedule(nodes.all(), nanos());
      if (changes.isEmpty()) {
        return;
      }
      apply(changes);
      tasks.takeProfiles();
    }
  }

  private void apply(List<TaskChange> changes) {
    Set<String> changed = new TreeSet<>();
    for (TaskChange change : changes) {
      if (!change.from().holdsPlace() && change.to().holdsPlace()) {
        start(change);
        changed.add(change.node());
      } else if (change.to().isLeaving() && running.containsKey(change.attempt().task())) {
        leave(change.attempt());
        changed.add(change.node());
      } else if (change.to() == TaskState.WAITING && change.from() == TaskState.SUBMITTED) {
        jobs.get(change.attempt().task().job().value()).readyAt(now);
      } else if (change.to().isFinal()) {
        over(change.attempt().task().job());
      }
    }
    report(changed);
  }

  private void start(TaskChange change) {
    TaskId id = change.attempt().task();
    ReplayJobs.Job job = jobs.get(id.job().value());
    tasks.ordered(change.attempt(), 1);
    running.put(id, new Run(change.attempt(), change.node(), change.devices(), now));
    waiting--;
    long left = job.leftMillis(id.index()) - done.getOrDefault(id, 0L);
    dues.add(new Due(now + Math.max(0, left), Due.END, ++order, change.attempt()));
    note(change.attempt(), change.node(), TaskPhase.RUNNING, null);
  }

  private void leave(AttemptId attempt) {
    Run run = running.remove(attempt.task());
    free(run);
    sums.preempted(1);
    hasAsked = true;
    waiting++;
    if (jobs.get(attempt.task().job().value()).keepsWork()) {
      done.merge(attempt.task(), now - run.since(), Long::sum);
    }
    note(
        attempt,
        run.node(),
        TaskPhase.ENDED,
        TaskEnd.because(TaskEnd.Kind.ON_REQUEST, "asked to leave"));
  }

  /** Nodes tell what they run, and what has ended since they told last. */
  private void report(Set<String> changed) {
    List<TaskChange> changes = new ArrayList<>();
    for (String node : changed) {
      Map<AttemptId, TaskReport> all = held.get(node);
      changes.addAll(tasks.reported(node, List.copyOf(all.values()), 1, nanos()));
      all.values().removeIf(one -> one.phase() == TaskPhase.ENDED);
    }
    while (tasks.isUnsettled()) {
      changes.addAll(tasks.settle(nanos()));
    }
    if (!changes.isEmpty()) {
      apply(changes);
    }
  }

  private void over(JobId job) {
    if (tasks.stateOf(job).filter(TaskState::isFinal).isPresent()) {
      ended.add(job.value());
      tasks.drop(job);
    }
  }
}
