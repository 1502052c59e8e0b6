package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.policy.FailingNodes;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.policy.SlurmEndedTaskDetector;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.SizeAndTimeParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Applies nodes' reports, silence and timeouts to tasks. A report that does not match the newest
 * attempt changes nothing. Single-threaded.
 */
final class ReportHandler {

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final RetryPolicy retry;
  private final SchedulingSettings sharing;
  private final FailingNodes failingNodes;
  private final TrainingEpochReportHandler epochs;
  private final AttemptEnds ends;

  ReportHandler(
      TaskTable table,
      TaskTransitions transitions,
      RetryPolicy retry,
      SchedulingSettings sharing,
      RecentDurations durations,
      OfferCache offers,
      ProfileUpdates profileUpdates,
      FailingNodes failingNodes) {
    this.table = table;
    this.transitions = transitions;
    this.retry = retry;
    this.sharing = sharing;
    this.failingNodes = failingNodes;
    this.epochs = new TrainingEpochReportHandler(table, transitions, profileUpdates);
    this.ends =
        new AttemptEnds(
            table, transitions, retry, durations, offers, profileUpdates, failingNodes, epochs);
  }

  /** Returns which ends may be Slurm's doing. */
  SlurmEndedTaskDetector slurm() {
    return ends.slurm();
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
        changes.addAll(ends.nodeGone(task, "its node no longer has it", now));
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
    boolean begins =
        TrainingEpochReportHandler.isFurther(task, report)
            && TrainingEpochReportHandler.lives(report);
    List<TaskChange> changes = new ArrayList<>(begins ? seenRunning(task, now) : List.of());
    changes.addAll(epochs.told(task.id(), report, now));
    changes.addAll(seenIn((PlacedTask) table.find(task.id()), report, now));
    return changes;
  }

  private List<TaskChange> seenIn(PlacedTask task, TaskReport report, long now) {
    return switch (report.phase()) {
      case STARTING -> seenStarting(task, report, now);
      case RUNNING -> seenRunning(task, now);
      case ENDING -> isStuck(report) ? stuck(task, report.end(), now) : seenRunning(task, now);
      case ENDED -> ends.ended(task, report.end(), now);
      case REFUSED -> ends.refused(task, report.end(), now);
    };
  }

  private List<TaskChange> seenStarting(PlacedTask task, TaskReport report, long now) {
    PlacedTask noted = task.notStarted(report.end() == null ? null : report.end().cause());
    if (noted != task) {
      table.put(noted);
    }
    return transitions.fire(noted, TaskTrigger.SEEN_STARTING, now);
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
      return ends.nodeGone(task, "its node was silent beyond the contact deadline", now);
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
        changes.addAll(ends.nodeGone(task, why, now));
      }
    }
    return changes;
  }

  /** Handles that a node was taken away, of whose tasks nothing runs any more. */
  List<TaskChange> nodeTakenAway(String node, String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask known : table.at(node)) {
      if (table.find(known.id()) instanceof PlacedTask task) {
        changes.addAll(ends.nodeTakenAway(task, why, now));
      }
    }
    return changes;
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
    return SizeAndTimeParser.words(table.spec(task).terms().timeLimitMillis());
  }

  static boolean isRestartable(JobSpec job) {
    return !job.tied() && job.terms().retries() > 0;
  }
}
