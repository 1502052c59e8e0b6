package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.JobKind;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.Quantities;
import java.util.ArrayList;
import java.util.List;

/** Time limits of whole jobs, from the first start of a task. Single-threaded. */
final class JobTimeLimits {

  private final TaskTable table;
  private final TaskTransitions transitions;

  JobTimeLimits(TaskTable table, TaskTransitions transitions) {
    this.table = table;
    this.transitions = transitions;
  }

  /** Ends the tasks of jobs whose time limit has passed. */
  List<TaskChange> tick(long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (JobId id : List.copyOf(table.of(JobKind.TIME_LIMITED))) {
      JobEntry job = table.job(id);
      long limit = job.spec().terms().jobTimeLimitMillis();
      if (job.ranFor(now) > limit * 1_000_000 && !job.base().isFinal() && !job.isOver()) {
        changes.addAll(overdue(job, "time limit of the job, " + Quantities.words(limit), now));
      }
    }
    return changes;
  }

  /** Fails what runs of a job, and cancels the rest. */
  private List<TaskChange> overdue(JobEntry job, String limit, long now) {
    List<TaskChange> changes = new ArrayList<>();
    String why = limit + ", passed";
    for (PlacedTask placed : table.placed()) {
      if (placed.id().job().equals(job.spec().id())
          && table.find(placed.id()) instanceof PlacedTask task) {
        changes.addAll(transitions.fire(task.pastLimit(why), TaskTrigger.OVERDUE, now));
      }
    }
    changes.addAll(transitions.jobs().cancel(job.spec().id(), why, now));
    return changes;
  }
}
