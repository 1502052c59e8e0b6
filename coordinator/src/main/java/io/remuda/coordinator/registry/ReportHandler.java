package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SharingPolicy;
import io.remuda.coordinator.registry.policy.SlurmSignals;
import io.remuda.coordinator.registry.task.MemoryFloor;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.Quantities;
import io.remuda.worker.job.Workload;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Applies nodes' reports, silence and timeouts to tasks. A report that does not match the newest
 * attempt changes nothing. Single-threaded.
 */
final class ReportHandler {

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final RetryPolicy retry;
  private final SharingPolicy sharing;
  private final RecentDurations durations;
  private final OfferCache offers;
  private final ProfileUpdates profileUpdates;
  private final FailingNodes failingNodes;
  private final EpochReports epochs;
  private final SlurmSignals slurm = new SlurmSignals();

  ReportHandler(
      TaskTable table,
      TaskTransitions transitions,
      RetryPolicy retry,
      SharingPolicy sharing,
      RecentDurations durations,
      OfferCache offers,
      ProfileUpdates profileUpdates,
      FailingNodes failingNodes) {
    this.table = table;
    this.transitions = transitions;
    this.retry = retry;
    this.sharing = sharing;
    this.durations = durations;
    this.offers = offers;
    this.profileUpdates = profileUpdates;
    this.failingNodes = failingNodes;
    this.epochs = new EpochReports(table, transitions, profileUpdates);
  }

  /** Returns which ends may be Slurm's doing. */
  SlurmSignals slurm() {
    return slurm;
  }

  /** Handles the reports of a node that has just joined, for the first time or again. */
  List<TaskChange> joined(String node, List<TaskReport> reports, long now) {
    return compare(node, reports, Long.MIN_VALUE, now);
  }

  /** Handles the reports of a node that has seen its desired state up to {@code revision}. */
  List<TaskChange> reported(String node, List<TaskReport> reports, long revision, long now) {
    return compare(node, reports, revision, now);
  }

  private List<TaskChange> compare(String node, List<TaskReport> reports, long revision, long now) {
    Map<AttemptId, TaskReport> byAttempt =
        reports.stream().collect(Collectors.toMap(TaskReport::attempt, report -> report));
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask known : table.at(node)) {
      if (!(table.find(known.id()) instanceof PlacedTask current)) {
        continue; // an earlier change has ended it
      }
      PlacedTask task = heardAgain(current);
      TaskReport report = byAttempt.get(task.attemptId());
      if (report != null) {
        changes.addAll(seen(task, report, now));
      } else if (isMissing(task, revision)) {
        changes.addAll(ended(task, nodeGone("its node no longer has it"), now));
      } else if (task.state() == TaskState.UNKNOWN) {
        changes.addAll(
            transitions.fire(task, TaskTrigger.SEEN_STARTING, now)); // its order is sent again
      }
    }
    return changes;
  }

  /**
   * Ends the silence of a task's node. An unknown task is left as it is until a report or its
   * absence decides.
   */
  private PlacedTask heardAgain(PlacedTask task) {
    if (task.state() == TaskState.UNKNOWN || task.progress().silentSince() == 0) {
      return task;
    }
    PlacedTask again = task.silentSince(0);
    if (task.state().isLeaving() && !task.isStuck()) {
      again = again.because(task.causeWithoutNote());
    }
    table.put(again);
    return again;
  }

  /** Returns whether an unreported task is missing; not if its node may not have its order yet. */
  private static boolean isMissing(PlacedTask task, long revision) {
    boolean neverSeen = task.state() == TaskState.UNKNOWN && task.progress().runningSince() == 0;
    boolean maybeUnseen =
        neverSeen || task.state() == TaskState.STARTING || task.state().isLeaving();
    return !maybeUnseen || revision >= task.progress().sinceRevision();
  }

  private List<TaskChange> seen(PlacedTask task, TaskReport report, long now) {
    boolean begins = EpochReports.isFurther(task, report) && EpochReports.lives(report);
    List<TaskChange> changes = new ArrayList<>(begins ? seenRunning(task, now) : List.of());
    changes.addAll(epochs.told(task.id(), report, now));
    changes.addAll(seenIn((PlacedTask) table.find(task.id()), report, now));
    return changes;
  }

  private List<TaskChange> seenIn(PlacedTask task, TaskReport report, long now) {
    return switch (report.phase()) {
      case STARTING -> transitions.fire(task, TaskTrigger.SEEN_STARTING, now);
      case RUNNING -> seenRunning(task, now);
      case ENDING -> isStuck(report) ? stuck(task, report.end(), now) : seenRunning(task, now);
      case ENDED -> ended(task, report.end(), now);
      case REFUSED -> refused(task, report.end(), now);
    };
  }

  private List<TaskChange> seenRunning(PlacedTask task, long now) {
    boolean first = task.progress().runningSince() == 0;
    PlacedTask running = first ? task.runningSince(now) : task;
    if (first) {
      table.job(task.id().job()).begun(now);
      failingNodes.begun(task.place().node());
      table.put(running);
    }
    return transitions.fire(running, TaskTrigger.SEEN_RUNNING, now);
  }

  private static boolean isStuck(TaskReport report) {
    return report.end() != null && report.end().kind() == TaskEnd.Kind.NOT_GONE;
  }

  /** Handles a task with processes that its node cannot end: no timeout applies to it. */
  private List<TaskChange> stuck(PlacedTask task, TaskEnd why, long now) {
    PlacedTask heard = task.silentSince(0);
    if (heard.isNoted(why.kind(), why.cause())) {
      table.put(heard);
      return List.of();
    }
    return transitions.fire(heard.noted(why.kind(), why.cause()), TaskTrigger.NOT_GONE, now);
  }

  private List<TaskChange> refused(PlacedTask task, TaskEnd end, long now) {
    if (end.kind() == TaskEnd.Kind.NO_ROOM) {
      failingNodes.failed(task.place().node(), end.cause(), now);
    } else {
      failingNodes.unclear(task.place().node());
    }
    if (task.state() == TaskState.STOPPING) {
      return transitions.fire(task.delayed(now, task.causeWithoutNote()), TaskTrigger.REFUSED, now);
    }
    if (task.state() == TaskState.ENDING) {
      return task.progress().ending() == EndReason.SERVER_STOPS
          ? transitions.fire(task.delayed(now, null), TaskTrigger.REFUSED, now)
          : gone(task.because(task.causeWithoutNote()), now);
    }
    if (end.kind() == TaskEnd.Kind.DEVICE_BUSY) {
      long until = now + retry.maxDelay().toNanos();
      offers.avoid(task.place().devices(), until, end.cause());
      return transitions.fire(task.delayed(now, end.cause()), TaskTrigger.REFUSED, now);
    }
    boolean alone = !table.spec(task).terms().startsTogether(); // else a port may be taken
    if (end.kind() == TaskEnd.Kind.NOT_BEGUN && alone) {
      durations.slowed(table.key(task));
      return transitions.fire(task.delayed(now, task.cause()), TaskTrigger.REFUSED, now);
    }
    return isUsers(task) ? commandRefused(task, end, now) : interrupted(task, end, now);
  }

  /** Returns whether it is a command or lease, so that its exit code is its result. */
  private boolean isUsers(PlacedTask task) {
    Workload workload = workload(task);
    return workload instanceof CommandWorkload || workload instanceof LeasedProgramWorkload;
  }

  private Workload workload(PlacedTask task) {
    return table.spec(task).tasks().get(task.id().index());
  }

  private List<TaskChange> commandRefused(PlacedTask task, TaskEnd end, long now) {
    if (end.kind() == TaskEnd.Kind.CANNOT_START) {
      return transitions.fire(task.ended(end, end.cause()), TaskTrigger.BROKE, now);
    }
    boolean full = end.kind() == TaskEnd.Kind.NO_ROOM;
    long delay = full ? retry.maxDelay().toNanos() : retry.delayNanos(0);
    return transitions.fire(task.delayed(now + delay, end.cause()), TaskTrigger.REFUSED, now);
  }

  private List<TaskChange> ended(PlacedTask task, TaskEnd end, long now) {
    if (!task.state().isLeaving() && slurm.isOpen(task.attemptId(), end, now)) {
      return List.of();
    }
    if (end.kind() == TaskEnd.Kind.BY_ITSELF) {
      failingNodes.begun(task.place().node());
    }
    if (task.state() == TaskState.ENDING) {
      return mayHaveResult(task) && end.hasResult()
          ? endedFirst(task, end, now)
          : gone(task.ended(end, task.causeWithoutNote()), now);
    }
    if (task.state() == TaskState.STOPPING
        && task.progress().ending() == EndReason.GANG_STARTS_AGAIN) {
      return transitions.fire(task.returned(end, now), TaskTrigger.INTERRUPTED, now);
    }
    if (task.state() == TaskState.STOPPING
        && (!hasResult(task, end)
            || slurm.hasEnded(end)
            || epochs.hasLeft(task, end)
            || table.spec(task).terms().startsTogether())) {
      return transitions.fire(task.preempted(end, now), TaskTrigger.PREEMPTED, now);
    }
    if (isUsers(task)) {
      return commandEnded(task, end, now);
    }
    if (task.progress().outcome() instanceof WorkerEvent.Failed failed) {
      return transitions.fire(task.ended(end, failed.cause()), TaskTrigger.BROKE, now);
    }
    if (task.progress().outcome() != null) {
      return transitions.fire(task.ended(end, end.cause()), TaskTrigger.FINISHED, now);
    }
    return interrupted(task, end, now);
  }

  /** Returns whether it ended before it was asked to leave, or its worker has told its result. */
  private boolean hasResult(PlacedTask task, TaskEnd end) {
    return isUsers(task) ? end.kind() == TaskEnd.Kind.BY_ITSELF : task.progress().outcome() != null;
  }

  /**
   * Returns whether the end of a task that is to end may be its own: not after its time limit, and
   * not if its allocation ends, in which Slurm's signals reach it before ours.
   */
  private boolean mayHaveResult(PlacedTask task) {
    boolean limited = task.progress().ending() == EndReason.OVERDUE;
    return workload(task) instanceof CommandWorkload && !limited && !slurm.isEnding();
  }

  /**
   * Handles a command that ended by itself before it could be ended: its exit code is its result.
   * In a gang that ends because a member failed, other failures are mere consequences.
   */
  private List<TaskChange> endedFirst(PlacedTask task, TaskEnd end, long now) {
    profileUpdates.ended(task, end, now);
    if (end.succeeded()) {
      return transitions.fire(task.ended(end, why(task, end)), TaskTrigger.FINISHED, now);
    }
    return table.spec(task).terms().failsTogether()
        ? gone(task.ended(end, task.causeWithoutNote()), now)
        : transitions.fire(task.ended(end, why(task, end)), TaskTrigger.BROKE, now);
  }

  private List<TaskChange> gone(PlacedTask task, long now) {
    return transitions.fire(
        task,
        task.progress().ending() == EndReason.OVERDUE ? TaskTrigger.GONE_OVERDUE : TaskTrigger.GONE,
        now);
  }

  /** Handles the end of a command or lease. Its exit code counts only if it ended by itself. */
  private List<TaskChange> commandEnded(PlacedTask task, TaskEnd end, long now) {
    boolean own = end.kind() == TaskEnd.Kind.BY_ITSELF;
    if (own && end.wallMillis() != null && !(workload(task) instanceof LeasedProgramWorkload)) {
      durations.ran(task.id().job(), table.key(task), end.wallMillis());
    }
    profileUpdates.ended(task, end, now);
    if (end.succeeded()) {
      return transitions.fire(task.ended(end, why(task, end)), TaskTrigger.FINISHED, now);
    }
    Optional<MemoryFloor> more = own ? profileUpdates.more(task, end) : Optional.empty();
    if (more.isPresent()) {
      return transitions.fire(task.withMore(end, more.get(), now), TaskTrigger.INTERRUPTED, now);
    }
    if (transitions.gangs().startsAgain(task)) {
      transitions.gangs().failedAndStartsAgain(task);
      PlacedTask again = task.interrupted(end, now + retry.delayNanos(task.interruptions()));
      return transitions.fire(again, TaskTrigger.INTERRUPTED, now);
    }
    if (!table.spec(task).terms().startsTogether()
        && task.interruptions() < table.spec(task).terms().retries()) {
      PlacedTask again = task.interrupted(end, now + retry.delayNanos(task.interruptions()));
      return transitions.fire(again, TaskTrigger.INTERRUPTED, now);
    }
    return transitions.fire(
        task.ended(end, why(task, end)),
        own ? TaskTrigger.BROKE : TaskTrigger.INTERRUPTED_TOO_OFTEN,
        now);
  }

  /** Returns the cause, with the memory that it had if this was raised. */
  private String why(PlacedTask task, TaskEnd end) {
    return end.cause() + task.floor().words(table.needs(task));
  }

  private static TaskEnd nodeGone(String cause) {
    return TaskEnd.because(TaskEnd.Kind.NODE_GONE, cause);
  }

  private List<TaskChange> interrupted(PlacedTask task, TaskEnd end, long now) {
    PlacedTask noted = task.interrupted(end, now + retry.delayNanos(task.interruptions()));
    return transitions.fire(
        noted,
        retry.exhausted(noted) ? TaskTrigger.INTERRUPTED_TOO_OFTEN : TaskTrigger.INTERRUPTED,
        now);
  }

  /** Handles the loss of a node's connection. */
  List<TaskChange> silent(String node, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask known : table.at(node)) {
      if (table.find(known.id()) instanceof PlacedTask task && task.progress().silentSince() == 0) {
        PlacedTask silent = task.silentSince(now);
        table.put(silent);
        changes.addAll(
            task.state().isLeaving()
                ? endsInSilence(silent, now)
                : transitions.fire(silent, TaskTrigger.NODE_SILENT, now));
      }
    }
    return changes;
  }

  /**
   * Checks timeouts: gives up attempts on nodes that have been silent beyond the contact deadline,
   * and ends attempts beyond their time limit.
   */
  List<TaskChange> tick(long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask known : table.placed()) {
      if (!(table.find(known.id()) instanceof PlacedTask task)) {
        continue; // an earlier change has ended it
      }
      if (task.progress().silentSince() != 0) {
        changes.addAll(stillSilent(task, now - task.progress().silentSince(), now));
      } else if (isOverdue(task, now)) {
        PlacedTask late = task.pastLimit("time limit of " + limit(task) + " passed");
        changes.addAll(transitions.fire(late, TaskTrigger.OVERDUE, now));
      }
    }
    return changes;
  }

  private List<TaskChange> stillSilent(PlacedTask task, long nanos, long now) {
    boolean surely = nanos > retry.silence().toNanos();
    if (surely && (task.state() == TaskState.RUNNING || task.state() == TaskState.STARTING)) {
      return transitions.fire(
          task, TaskTrigger.NODE_SILENT, now); // restored, and its node has not joined
    }
    boolean mayLive = task.state() == TaskState.UNKNOWN || task.state().isLeaving();
    if (mayLive && !task.isStuck() && nanos > contactLostAfter(task)) {
      return ended(task, nodeGone("its node was silent beyond the contact deadline"), now);
    }
    return task.state().isLeaving() ? endsInSilence(task, now) : List.of();
  }

  /** Notes why an ending task on a silent node has not ended: its processes may still run. */
  private List<TaskChange> endsInSilence(PlacedTask task, long now) {
    String until =
        contactLostAfter(task) == Long.MAX_VALUE
            ? forGood(task)
            : "the contact deadline has passed";
    String why = "its node is silent: over when the node is back or " + until;
    return task.isStuck() || task.isNoted(TaskEnd.Kind.NODE_GONE, why)
        ? List.of()
        : transitions.fire(task.noted(TaskEnd.Kind.NODE_GONE, why), TaskTrigger.NODE_SILENT, now);
  }

  private static String forGood(PlacedTask task) {
    return "declared gone (remuda drain --gone " + task.place().node() + ")";
  }

  /** Ends the tasks of a silent node that a user has declared permanently gone. */
  List<TaskChange> nodeGone(String node, String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask known : table.at(node)) {
      if (table.find(known.id()) instanceof PlacedTask task) {
        changes.addAll(ended(task, nodeGone(why), now));
      }
    }
    return changes;
  }

  /**
   * Has the tasks of a node wait again that was taken away: that is no failure of theirs, and no
   * try. What its user has ended, and the program of a lease, has ended then.
   */
  List<TaskChange> nodeTakenAway(String node, String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask known : table.at(node)) {
      if (!(table.find(known.id()) instanceof PlacedTask task)) {
        continue; // an earlier change has ended it
      }
      boolean again = task.state() != TaskState.ENDING && mayWaitAgain(task);
      changes.addAll(
          again
              ? transitions.fire(
                  task.because(why).returned(nodeGone(why), now), TaskTrigger.INTERRUPTED, now)
              : ended(task, nodeGone(why), now));
    }
    return changes;
  }

  private boolean mayWaitAgain(PlacedTask task) {
    PreemptionTerms terms = table.spec(task).terms().preemption();
    boolean kept = terms == null || terms.then() != PreemptionTerms.Then.CANCEL;
    return kept && !(workload(task) instanceof LeasedProgramWorkload);
  }

  /**
   * Returns the nanoseconds of silence after which the task has surely ended; without a contact
   * deadline {@code Long.MAX_VALUE}.
   */
  private long contactLostAfter(PlacedTask task) {
    JobSpec job = table.spec(task);
    if (job.tied()) {
      return retry.silence().toNanos();
    }
    return isRestartable(job)
        ? sharing.restartableContact().plus(retry.silence()).toNanos()
        : Long.MAX_VALUE;
  }

  boolean isOverdue(PlacedTask task, long now) {
    long limit = table.spec(task).terms().timeLimitMillis();
    return limit > 0
        && task.state() == TaskState.RUNNING
        && task.progress().runningSince() != 0
        && now - task.progress().runningSince() > limit * 1_000_000;
  }

  private String limit(PlacedTask task) {
    return Quantities.words(table.spec(task).terms().timeLimitMillis());
  }

  static boolean isRestartable(JobSpec job) {
    return !job.tied() && job.terms().retries() > 0;
  }
}
