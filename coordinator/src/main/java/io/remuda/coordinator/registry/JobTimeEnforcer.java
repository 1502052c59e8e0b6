package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.SizeAndTimeParser;
import java.util.ArrayList;
import java.util.List;

/**
 * When whole jobs may begin, and their time limits from the first start of a task. Single-threaded.
 */
final class JobTimeEnforcer {

  private final TaskTable table;
  private final TaskTransitions transitions;

  JobTimeEnforcer(TaskTable table, TaskTransitions transitions) {
    this.table = table;
    this.transitions = transitions;
  }

  /** Ends the tasks of jobs whose time limit has passed. */
  List<TaskChange> tick(long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (JobId id : List.copyOf(table.of(IndexedJobProperty.TIME_LIMITED))) {
      JobEntry job = table.job(id);
      long limit = job.spec().terms().jobTimeLimitMillis();
      if (job.ranFor(now) > limit * 1_000_000 && !job.base().isFinal() && !job.isOver()) {
        changes.addAll(
            overdue(job, "time limit of the job, " + SizeAndTimeParser.words(limit), now));
      }
    }
    return changes;
  }

  /**
   * Lets the jobs begin whose time has come.
   *
   * @param wallMillis milliseconds since 1970
   */
  List<TaskChange> begin(long wallMillis, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (JobId id : List.copyOf(table.of(IndexedJobProperty.BEGINS_LATER))) {
      if (table.job(id).spec().terms().beginMillis() <= wallMillis) {
        changes.addAll(transitions.jobs().begin(id, now));
      }
    }
    return changes;
  }

  /**
   * Fails what has begun of a job, and cancels the rest. If nothing that has begun is left, the
   * next task fails, so that the job does.
   */
  private List<TaskChange> overdue(JobEntry job, String limit, long now) {
    String why = limit + ", passed";
    List<TaskChange> changes = new ArrayList<>();
    if (job.live() == 0) {
      TaskRecord next = job.task(job.firstUntouched()).because(why);
      changes.addAll(transitions.fire(next, TaskTrigger.OVERDUE, now));
    }
    changes.addAll(transitions.jobs().cancelUntouched(job, why, now));
    for (TaskRecord task = job.nextLive(0); task != null; task = after(job, task)) {
      if (task instanceof PlacedTask placed) { // all of them: what has begun fails
        changes.addAll(transitions.fire(placed.pastLimit(why), TaskTrigger.OVERDUE, now));
      }
    }
    int waiting = 0;
    for (TaskRecord task = job.nextLive(0);
        task != null && waiting < JobTransitions.PORTION;
        task = after(job, task)) {
      if (!(task instanceof PlacedTask)) {
        changes.addAll(transitions.fire(task.because(why), TaskTrigger.OVERDUE, now));
        waiting++;
      }
    }
    changes.addAll(transitions.jobs().follow(job, now)); // what is beyond the portion
    return changes;
  }

  private static TaskRecord after(JobEntry job, TaskRecord task) {
    return job.nextLive(task.id().index() + 1);
  }
}
