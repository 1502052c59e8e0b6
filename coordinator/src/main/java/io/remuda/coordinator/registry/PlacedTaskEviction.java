package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * Has placed tasks leave their places: for others, from a node, or when the server or its machines
 * go. What becomes of them follows from the terms of their jobs. Single-threaded.
 */
final class PlacedTaskEviction {

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final JobTransitions jobs;

  PlacedTaskEviction(TaskTable table, TaskTransitions transitions, JobTransitions jobs) {
    this.table = table;
    this.transitions = transitions;
    this.jobs = jobs;
  }

  /**
   * Ends every placed task, but no others. A task that its node returns before it has begun waits
   * again. A gang ends as a whole, since its tasks must begin together.
   */
  List<TaskChange> stop(String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask placed : table.placed()) {
      if (!(table.find(placed.id()) instanceof PlacedTask task)) {
        continue; // an earlier change has ended it
      }
      changes.addAll(
          table.spec(task).terms().startsTogether()
              ? jobs.cancel(task.id().job(), why, now)
              : transitions.fire(task.stopped(why), TaskTrigger.CANCEL, now));
    }
    return changes;
  }

  /**
   * Has a task leave its place for another one, as its job's terms say; a gang leaves as a whole.
   *
   * @param why for people
   */
  List<TaskChange> preempt(TaskId id, String why, long now) {
    if (!(table.find(id) instanceof PlacedTask task)) {
      return List.of();
    }
    JobSpec spec = table.spec(task);
    PreemptionTerms terms = spec.terms().preemption();
    JobId job = id.job();
    if (terms != null && terms.then() == PreemptionTerms.Then.CANCEL) {
      return spec.terms().startsTogether()
          ? jobs.cancel(job, why, now)
          : transitions.fire(task.because(why), TaskTrigger.CANCEL, now);
    }
    List<TaskChange> changes = new ArrayList<>();
    if (terms != null && terms.then() == PreemptionTerms.Then.HOLD) {
      changes.addAll(jobs.hold(job, now));
    }
    if (spec.terms().startsTogether()) {
      changes.addAll(leave(job, why, now));
    } else {
      changes.addAll(transitions.fire(task.because(why), TaskTrigger.PREEMPT, now));
    }
    return changes;
  }

  /** Has a training leave its place to go on with another number of GPUs. */
  List<TaskChange> resize(PlacedTask task, int gpus, String why, long now) {
    PlacedTask resized = task.with(task.history().withGpus(gpus)).because(why);
    return transitions.fire(resized, TaskTrigger.PREEMPT, now);
  }

  /**
   * Has the preemptible tasks of a node leave it, as their terms say; of a gang also those on other
   * nodes.
   */
  List<TaskChange> leaveNode(String node, String why, long now) {
    return leaveNode(node, task -> true, why, now);
  }

  /** Has the preemptible tasks that hold any of these GPUs of a node leave it, in this way. */
  List<TaskChange> leaveGpus(String node, Collection<DeviceId> gpus, String why, long now) {
    return leaveNode(node, task -> !Collections.disjoint(task.place().devices(), gpus), why, now);
  }

  private List<TaskChange> leaveNode(
      String node, Predicate<PlacedTask> which, String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask placed : table.at(node)) {
      boolean preemptible =
          table.spec(placed).terms().preemption() != null && which.test(placed); // others finish
      boolean there =
          table.find(placed.id()) instanceof PlacedTask task
              && Lifecycle.next(task.state(), TaskTrigger.PREEMPT).isPresent();
      if (preemptible && there) {
        changes.addAll(preempt(placed.id(), why, now));
      }
    }
    return changes;
  }

  /**
   * Has every placed task leave its place because the machines are taken away, as their terms say
   * for preemption. The program of a lease does not come back, so it ends.
   */
  List<TaskChange> leaveAll(String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (PlacedTask placed : table.placed()) {
      if (!(table.find(placed.id()) instanceof PlacedTask task)) {
        continue; // an earlier change has ended it
      }
      if (table.spec(task).tasks().get(0) instanceof LeasedProgramWorkload) {
        changes.addAll(transitions.fire(task.stopped(why), TaskTrigger.CANCEL, now));
      } else if (Lifecycle.next(task.state(), TaskTrigger.PREEMPT).isPresent()) {
        changes.addAll(preempt(task.id(), why, now));
      }
    }
    return changes;
  }

  /** Has every placed task of a job leave its place, to wait again. */
  List<TaskChange> leave(JobId job, String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    JobEntry its = table.job(job);
    TaskRecord next = its == null ? null : its.nextLive(0);
    for (; next != null; next = its.nextLive(next.id().index() + 1)) {
      if (next instanceof PlacedTask task) {
        changes.addAll(transitions.fire(task.because(why), TaskTrigger.PREEMPT, now));
      }
    }
    return changes;
  }
}
