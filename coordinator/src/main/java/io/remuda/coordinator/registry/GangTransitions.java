package io.remuda.coordinator.registry;

import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the members of a gang do for each other: when one has to start again, all do, and when one
 * fails, all others end, unless that is to be ignored. Each start of a gang is an attempt of every
 * member that has not failed, and none begins before nothing is left of the one before.
 * Single-threaded.
 */
final class GangTransitions {

  /** From the first bad end until the members that have not ended are killed. */
  static final long KILLED_AFTER = WayOut.GANG_ENDS.grace().mostMillis() * 1_000_000;

  private final TaskTable table;
  private final TaskTransitions transitions;

  /** Jobs whose members end because one has failed, and since when. */
  private final Map<JobId, Long> failed = new HashMap<>();

  GangTransitions(TaskTable table, TaskTransitions transitions) {
    this.table = table;
    this.transitions = transitions;
  }

  /** Returns whether a member that fails has its gang start again, as the terms say. */
  boolean startsAgain(PlacedTask member) {
    JobSpec spec = table.spec(member);
    JobEntry job = table.job(member.id().job());
    return spec.terms().startsTogether()
        && spec.terms().gang().failure() == GangTerms.Failure.RESTART
        && (isApart(job) || job.gangStart().failures() < spec.terms().retries());
  }

  /**
   * Counts a failure after which the gang of a member starts again, once for each start: a node
   * that is lost may have had several members.
   */
  void failedAndStartsAgain(PlacedTask member) {
    JobEntry job = table.job(member.id().job());
    if (!isApart(job)) {
      job.gangStart(job.gangStart().failed());
    }
  }

  /**
   * Brings the members of a gang together if one waits for another start: those that run are asked
   * to leave, and those that have succeeded wait, too. What failed stays so.
   */
  List<TaskChange> together(JobId id, long now) {
    JobEntry job = table.job(id);
    if (job == null || !job.spec().terms().startsTogether() || !isApart(job)) {
      return List.of();
    }
    String why = "its gang starts again" + culprit(job);
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord member : List.copyOf(job.tasks())) {
      if (member instanceof PlacedTask placed
          && Lifecycle.next(placed.state(), TaskTrigger.PREEMPT).isPresent()) {
        changes.addAll(transitions.fire(placed.startingAgain(why), TaskTrigger.PREEMPT, now));
      } else if (member.state() == TaskState.SUCCEEDED) {
        TaskAttemptSummary known = TaskAttemptSummary.ofAttempts(job.gangStart().number());
        TaskRecord again = member.with(known).because(why);
        changes.addAll(transitions.fire(again, TaskTrigger.START_AGAIN, now));
      }
    }
    return changes;
  }

  /** Returns whether a member of a gang that has started waits, and it is not over. */
  private static boolean isApart(JobEntry job) {
    return job.gangStart().number() > 0
        && !job.base().isFinal()
        && job.countBefore() > 0
        && job.countBefore() < job.countSound();
  }

  private static String culprit(JobEntry job) {
    for (TaskRecord member : job.tasks()) {
      if (member instanceof PendingTask && member.attempt() > 0 && member.cause() != null) {
        return ", because of task " + member.id() + ": " + member.cause();
      }
    }
    return "";
  }

  /** Notes that the members of a job end because one has failed. */
  void ending(JobId job, long now) {
    failed.putIfAbsent(job, now);
  }

  void forget(JobId job) {
    failed.remove(job);
  }

  /** Brings all gangs together whose members were apart for a silent node. */
  List<TaskChange> tick(long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (JobId gang : table.of(IndexedJobProperty.GANG)) {
      changes.addAll(together(gang, now));
    }
    return changes;
  }

  /** Returns the members, by node, that must not take longer to end. */
  Map<String, List<AttemptId>> overdue(long now) {
    Map<String, List<AttemptId>> byNode = new TreeMap<>();
    failed.keySet().removeIf(job -> table.job(job) == null);
    if (failed.values().stream().noneMatch(since -> now - since >= KILLED_AFTER)) {
      return byNode;
    }
    for (PlacedTask member : table.placed()) {
      Long since = failed.get(member.id().job());
      if (since != null && now - since >= KILLED_AFTER && member.state() == TaskState.ENDING) {
        byNode
            .computeIfAbsent(member.place().node(), node -> new ArrayList<>())
            .add(member.attemptId());
      }
    }
    return byNode;
  }
}
