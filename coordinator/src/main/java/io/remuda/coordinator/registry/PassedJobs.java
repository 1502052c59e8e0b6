package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.TypeDurations;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.LikelyDurations;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The tasks that were let past a job for which capacity is reserved, because tasks of their type
 * have ended in time. One that takes longer while the job waits has delayed it: its type is trusted
 * less, and it makes room for the job if it is preemptible. Single-threaded.
 *
 * <p>Who was let past whom is not stored. After a restart one that is late delays the job until it
 * ends: the job keeps its reservation, so that delays it once, and its type is trusted as before.
 */
final class PassedJobs implements LikelyDurations {

  private static final long NANOS_OF_MILLI = 1_000_000;

  private static final class Passer {
    private final AttemptId attempt;
    private final JobId before;
    private final long nanos;
    private boolean late;

    Passer(AttemptId attempt, Plan.Pass pass) {
      this.attempt = attempt;
      this.before = pass.before();
      this.nanos = pass.millis() * NANOS_OF_MILLI;
    }
  }

  private final TaskTable table;
  private final TypeDurations durations;
  private final Map<TaskId, Passer> passers = new HashMap<>();

  PassedJobs(TaskTable table, TypeDurations durations) {
    this.table = table;
    this.durations = durations;
  }

  @Override
  public OptionalLong millis(JobId job) {
    JobEntry entry = table.job(job);
    return entry == null ? OptionalLong.empty() : durations.surely(entry.program());
  }

  /** Notes that a task got its place, with what its plan says of it. */
  void placed(TaskId task, Plan plan) {
    Plan.Pass pass = plan.passes().get(task);
    if (pass != null) {
      passers.put(task, new Passer(table.find(task).attemptId(), pass));
    }
  }

  /** Looks which of them are late. */
  void look(long now) {
    passers.values().removeIf(this::isOver);
    for (Passer one : passers.values()) {
      PlacedTask task = (PlacedTask) table.find(one.attempt.task());
      long since = task.progress().runningSince();
      if (!one.late && since != 0 && now - since > one.nanos && waits(one.before)) {
        one.late = true;
        durations.doubted(table.job(task.id().job()).program());
      }
    }
  }

  private boolean isOver(Passer one) {
    return !(table.find(one.attempt.task()) instanceof PlacedTask task
        && task.attempt() == one.attempt.attempt());
  }

  private boolean waits(JobId job) {
    JobEntry entry = table.job(job);
    return entry != null && entry.count(TaskState.WAITING) > 0;
  }

  /** Returns whether one of these tasks is late, and delays a job in this class. */
  boolean delay(Collection<TaskId> tasks, TaskClass.SchedulingKey key) {
    return !passers.isEmpty()
        && tasks.stream()
            .map(passers::get)
            .anyMatch(one -> one != null && one.late && table.knownLine(key).count(one.before) > 0);
  }
}
