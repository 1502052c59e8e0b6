package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.policy.FailingNodes;
import io.remuda.coordinator.registry.policy.GpuFailures;
import io.remuda.coordinator.registry.policy.NoGpuHint;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SlurmEndedTaskDetector;
import io.remuda.coordinator.registry.task.MemoryFloor;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.Optional;

/**
 * Decides what the end of an attempt, or its refusal by its node, means for its task: a result, or
 * another try. Single-threaded.
 */
final class AttemptEnds {

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final RetryPolicy retry;
  private final RecentDurations durations;
  private final OfferCache offers;
  private final ProfileUpdates profileUpdates;
  private final FailingNodes failingNodes;
  private final TrainingEpochReportHandler epochs;
  private final SlurmEndedTaskDetector slurm = new SlurmEndedTaskDetector();

  AttemptEnds(
      TaskTable table,
      TaskTransitions transitions,
      RetryPolicy retry,
      RecentDurations durations,
      OfferCache offers,
      ProfileUpdates profileUpdates,
      FailingNodes failingNodes,
      TrainingEpochReportHandler epochs) {
    this.table = table;
    this.transitions = transitions;
    this.retry = retry;
    this.durations = durations;
    this.offers = offers;
    this.profileUpdates = profileUpdates;
    this.failingNodes = failingNodes;
    this.epochs = epochs;
  }

  /** Returns which ends may be Slurm's doing. */
  SlurmEndedTaskDetector slurm() {
    return slurm;
  }

  /** Handles the refusal of an order by its node: nothing of the attempt has begun. */
  List<TaskChange> refused(PlacedTask task, TaskEnd end, long now) {
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

  /** Handles the end of an attempt; one that may be Slurm's doing is left open at first. */
  List<TaskChange> ended(PlacedTask task, TaskEnd end, long now) {
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
      profileUpdates.succeeded(task, end);
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
      TaskClass.SchedulingKey key = table.key(task);
      durations.ran(task.id(), key, key.gpusOf(table.spec(task)), end.wallMillis());
    }
    profileUpdates.ended(task, end, now);
    if (end.succeeded()) {
      if (!(workload(task) instanceof LeasedProgramWorkload)) {
        profileUpdates.succeeded(task, end);
      }
      offers.failures().succeeded(program(task), task.place().devices(), now);
      return transitions.fire(task.ended(end, why(task, end)), TaskTrigger.FINISHED, now);
    }
    Optional<MemoryFloor> more = own ? profileUpdates.more(task, end) : Optional.empty();
    if (own) {
      failedThere(task, end, more.isEmpty(), now);
    }
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

  /** Notes where a task has failed; not of its GPUs if only its own part of them was too small. */
  private void failedThere(PlacedTask task, TaskEnd end, boolean ofGpus, long now) {
    offers.failures().triedAgain(task.id(), task.place().node(), task.place().devices());
    if (ofGpus) {
      offers
          .failures()
          .failed(
              program(task),
              task.place().devices(),
              end.cause(),
              ran(task, now),
              offers.last(),
              () -> running(now),
              now);
    }
  }

  private JobType program(PlacedTask task) {
    return table.job(task.id().job()).program();
  }

  private static long ran(PlacedTask task, long now) {
    long since = task.progress().runningSince();
    return since == 0 ? 0 : now - since;
  }

  private List<GpuFailures.RunningProgram> running(long now) {
    return table.placed().stream()
        .filter(task -> task.state() == TaskState.RUNNING && !task.place().devices().isEmpty())
        .map(
            task ->
                new GpuFailures.RunningProgram(
                    program(task), task.place().devices(), ran(task, now)))
        .toList();
  }

  /** Returns the cause, with the memory that it had if this was raised, and a hint. */
  private String why(PlacedTask task, TaskEnd end) {
    ResourceRequest had = table.needs(task);
    String hint = end.succeeded() ? "" : NoGpuHint.of(end.cause(), had);
    return end.cause() + task.floor().words(had) + hint;
  }

  private List<TaskChange> interrupted(PlacedTask task, TaskEnd end, long now) {
    if (end.isCrash()) {
      failedThere(task, end, true, now);
    }
    PlacedTask noted = task.interrupted(end, now + retry.delayNanos(task.interruptions()));
    return transitions.fire(
        noted,
        retry.exhausted(noted) ? TaskTrigger.INTERRUPTED_TOO_OFTEN : TaskTrigger.INTERRUPTED,
        now);
  }

  /** Handles the end of an attempt with its node, or because its node has lost it. */
  List<TaskChange> nodeGone(PlacedTask task, String cause, long now) {
    return ended(task, TaskEnd.because(TaskEnd.Kind.NODE_GONE, cause), now);
  }

  /**
   * Has the task of a node wait again that was taken away: that is no failure of it, and no try.
   * What its user has ended, and the program of a lease, has ended then.
   */
  List<TaskChange> nodeTakenAway(PlacedTask task, String why, long now) {
    if (task.state() == TaskState.ENDING || !mayWaitAgain(task)) {
      return nodeGone(task, why, now);
    }
    TaskEnd end = TaskEnd.because(TaskEnd.Kind.NODE_GONE, why);
    return transitions.fire(task.because(why).returned(end, now), TaskTrigger.INTERRUPTED, now);
  }

  private boolean mayWaitAgain(PlacedTask task) {
    PreemptionTerms terms = table.spec(task).terms().preemption();
    boolean kept = terms == null || terms.then() != PreemptionTerms.Then.CANCEL;
    return kept && !(workload(task) instanceof LeasedProgramWorkload);
  }
}
