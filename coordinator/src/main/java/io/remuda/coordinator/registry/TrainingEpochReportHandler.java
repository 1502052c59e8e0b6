package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.util.ArrayList;
import java.util.List;

/** Applies what trainings tell of their epochs. Single-threaded. */
final class TrainingEpochReportHandler {

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final ProfileUpdates profileUpdates;
  private final SharePromiseKeeper promises;

  TrainingEpochReportHandler(
      TaskTable table, TaskTransitions transitions, ProfileUpdates profileUpdates) {
    this.table = table;
    this.transitions = transitions;
    this.profileUpdates = profileUpdates;
    this.promises = profileUpdates.promises();
  }

  /** Returns whether a report tells more epochs than are known. */
  static boolean isFurther(PlacedTask known, TaskReport report) {
    return report.training() != null && report.training().epochsDone() > known.epochsDone();
  }

  /** Returns whether the process of an attempt exists. */
  static boolean lives(TaskReport report) {
    return report.phase() == TaskPhase.RUNNING || report.phase() == TaskPhase.ENDING;
  }

  /**
   * Stores what a training has told. A late report of fewer epochs changes nothing.
   *
   * @return the change by a further epoch; none if the attempt has ended, whose change stores it
   */
  List<TaskChange> told(TaskId id, TaskReport report, long now) {
    PlacedTask known = (PlacedTask) table.find(id);
    TrainingProgress told = report.training();
    boolean news = told != null && !told.equals(known.history().training());
    if (!news || told.epochsDone() < known.epochsDone()) {
      return List.of();
    }
    boolean further = isFurther(known, report);
    if (further) {
      profileUpdates.trained(known, told, now);
    }
    PlacedTask after = known.trained(told, now);
    table.put(after);
    if (!further || !lives(report)) {
      return List.of();
    }
    List<TaskChange> changes =
        new ArrayList<>(transitions.fire(after, TaskTrigger.EPOCH_DONE, now));
    if (table.find(id) instanceof PlacedTask there && there.state() == TaskState.RUNNING) {
      changes.addAll(promises.epochDone(there, transitions.jobs().leaving(), now));
    }
    return changes;
  }

  /**
   * Returns whether a training that was asked to leave has done so by itself, with epochs left. One
   * that was not told so, or never asks, has ended for reasons of its own.
   */
  boolean hasLeft(PlacedTask task, TaskEnd end) {
    TrainingTerms training = table.spec(task).terms().training();
    TrainingProgress told = task.history().training();
    return training != null
        && end.succeeded()
        && told != null
        && told.leaves()
        && task.epochsDone() < training.epochs();
  }
}
