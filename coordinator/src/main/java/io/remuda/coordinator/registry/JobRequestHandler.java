package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What users ask of live jobs, and of the tasks of nodes and of the server. Single-threaded. */
public final class JobRequestHandler {

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final ReportHandler reports;
  private final PlacementCycle placement;

  /**
   * @param placement is told of each change of when jobs may start, and in which order
   */
  JobRequestHandler(
      TaskTable table,
      TaskTransitions transitions,
      ReportHandler reports,
      PlacementCycle placement) {
    this.table = table;
    this.transitions = transitions;
    this.reports = reports;
    this.placement = placement;
  }

  /** Lets later attempts of a job's tasks take no device; placed tasks keep theirs. */
  public void withoutGpus(JobId job) {
    JobEntry known = table.job(job);
    if (known != null) {
      JobSpec spec = known.spec();
      table.replace(spec.withRequest(spec.request().withoutGpus()));
    }
  }

  /** Replaces the specification of a job, for what waits of it and what is to be checked later. */
  public void change(JobSpec job) {
    JobTerms before = table.job(job.id()).spec().terms();
    placement.isChanged(job.id());
    int rank = job.terms().rank();
    if (before.rank() != rank) {
      int lowest = Math.min(before.rank(), rank);
      int highest = Math.max(before.rank(), rank);
      placement.isReordered(
          other -> lowest <= other.terms().rank() && other.terms().rank() <= highest);
    } else if (before.array().first() != job.terms().array().first()) {
      placement.isReordered(other -> other.user().equals(job.user()));
    }
    table.replace(job);
  }

  /** As {@link #change}, for a job without touched tasks that starts at another time. */
  public List<TaskChange> startAnew(JobSpec job, Set<JobDependency> open, long now) {
    placement.isChanged(job.id());
    return transitions.jobs().startAnew(job, open, now);
  }

  /**
   * Has the jobs fall back to their places that were first until now.
   *
   * @param wallMillis milliseconds since 1970
   * @return their specifications from now on
   */
  public List<JobSpec> fallBack(long wallMillis) {
    List<JobSpec> back = new ArrayList<>();
    for (JobId id : List.copyOf(table.of(IndexedJobProperty.FIRST_FOR_A_TIME))) {
      JobSpec job = table.job(id).spec();
      boolean due = job.terms().array().firstUntilMillis() <= wallMillis;
      if (due && !table.job(id).isOver()) { // it stays until its end is stored
        JobSpec fallen = job.withTerms(job.terms().withArray(job.terms().array().withFirst(0)));
        change(fallen);
        back.add(fallen);
      }
    }
    return back;
  }

  /** Returns the number that puts a job before all live jobs of its user. */
  public long nextFirst(String user) {
    return 1
        + table.jobs().stream()
            .filter(job -> job.spec().user().equals(user))
            .mapToLong(job -> job.spec().terms().array().first())
            .max()
            .orElse(0);
  }

  /** Returns how many running tasks of a job are beyond its time limit, which end soon. */
  public int overdue(JobId job, long now) {
    return (int)
        table.placed().stream()
            .filter(task -> task.id().job().equals(job) && reports.isOverdue(task, now))
            .count();
  }

  /**
   * Runs requests that concern any number of jobs, by which about so many tasks change at once; the
   * others follow in portions, as {@link TaskRegistry#settle} makes them.
   */
  public void bounded(int changes, Runnable requests) {
    transitions.jobs().bounded(changes, requests);
  }

  /** Cancels the rest of a job of which as many tasks have failed as it allows. */
  public List<TaskChange> giveUpIfFailedEnough(JobId id, long now) {
    JobEntry job = table.job(id);
    return job != null && job.hasFailedEnough() ? cancel(id, job.failedEnough(), now) : List.of();
  }

  /** Ends every task of a job; {@code why} becomes their cause, for people. */
  public List<TaskChange> cancel(JobId job, String why, long now) {
    placement.isChanged(job);
    return transitions.jobs().cancel(job, why, now);
  }

  /** Ends one task or has it leave its place; {@code why} becomes its cause, for people. */
  public List<TaskChange> fire(TaskId task, TaskTrigger trigger, String why, long now) {
    return transitions.fire(task, trigger, why, now);
  }

  /** Ends all placed tasks when the server is stopped; waiting tasks stay. */
  public List<TaskChange> stop(String why, long now) {
    return transitions.jobs().leaving().stop(why, now);
  }

  /** Has all placed tasks leave as their machines are taken away; leases end. */
  public List<TaskChange> leaveAll(String why, long now) {
    reports.slurm().ends();
    return transitions.jobs().leaving().leaveAll(why, now);
  }

  /** Has a node's preemptible tasks leave it. */
  public List<TaskChange> leaveNode(String node, String why, long now) {
    return transitions.jobs().leaving().leaveNode(node, why, now);
  }

  /** Has the preemptible tasks that hold any of these GPUs of a node leave it. */
  public List<TaskChange> leaveGpus(String node, Collection<DeviceId> gpus, String why, long now) {
    return transitions.jobs().leaving().leaveGpus(node, gpus, why, now);
  }

  /** Has every placed task of a job leave its place, to wait again. */
  public List<TaskChange> leave(JobId job, String why, long now) {
    return transitions.jobs().leaving().leave(job, why, now);
  }

  /** Keeps a job's tasks from starting. */
  public List<TaskChange> hold(JobId job, long now) {
    placement.isChanged(job);
    return transitions.jobs().hold(job, now);
  }

  /** Lets the tasks of a held job start once its dependencies are met. */
  public List<TaskChange> release(JobId job, long now) {
    placement.isChanged(job);
    return transitions.jobs().release(job, now);
  }
}
