package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.WarningSignal;

/** Builds the orders by which nodes start placed tasks. Single-threaded. */
final class AgentOrderBuilder {

  private final TaskTable table;
  private final SchedulingSettings sharing;

  AgentOrderBuilder(TaskTable table, SchedulingSettings sharing) {
    this.table = table;
    this.sharing = sharing;
  }

  /** Returns the order for a placed task. */
  TaskStartOrder order(PlacedTask task) {
    JobSpec job = table.spec(task);
    Place place = task.place();
    return new TaskStartOrder(
        task.attemptId(),
        job.user(),
        job.tied(),
        ReportHandler.isRestartable(job) ? sharing.restartableContact().toMillis() : 0,
        job.tasks().get(task.id().index()),
        place.devices(),
        job.threads(),
        !place.devices().isEmpty(),
        facts(job, task),
        place.slot(),
        ending(job, task.id()),
        training(job, task),
        job.parameters(task.id().index()));
  }

  private TaskStartOrder.JobFacts facts(JobSpec job, PlacedTask task) {
    GangStart start = table.job(job.id()).gangStart();
    int tries = triesBefore(job, task);
    return new TaskStartOrder.JobFacts(
        job.uuid(),
        job.name(),
        job.tasks().size(),
        table.needs(task),
        job.terms().gang(),
        start.number() == 0 ? null : start,
        job.terms().array().numbered(),
        tries == task.attempt() - 1 ? null : (Integer) tries);
  }

  /**
   * Returns how many attempts of a task may have begun before the present one: one that was refused
   * leaves nothing behind. Of a gang all, since its members go back together.
   */
  private static int triesBefore(JobSpec job, PlacedTask task) {
    int before = task.attempt() - 1;
    if (job.terms().startsTogether()) {
      return before;
    }
    int begun = task.interruptions() + task.preemptions();
    boolean isFirst = begun == 0 && task.history().end() == null;
    return isFirst ? 0 : Math.min(before, Math.max(1, begun));
  }

  private static TaskStartOrder.Training training(JobSpec job, PlacedTask task) {
    TrainingProgress told = task.history().training();
    return job.terms().training() == null
        ? null
        : new TaskStartOrder.Training(
            job.terms().training(), task.epochsDone(), told == null ? 0 : told.longestMillis());
  }

  /** Returns how a user's command is ended; null for what the node ends in its own way. */
  private static TaskStartOrder.Ending ending(JobSpec job, TaskId task) {
    if (!(job.tasks().get(task.index()) instanceof CommandWorkload)) {
      return null;
    }
    EndingTerms terms = job.terms().ending();
    WarningSignal warning = terms.warning();
    return warning == null
        ? new TaskStartOrder.Ending(terms.graceMillis(), 0, 0)
        : new TaskStartOrder.Ending(
            terms.graceMillis(),
            warning.number(),
            job.terms().timeLimitMillis() - warning.leadMillis(),
            warning.reach());
  }
}
