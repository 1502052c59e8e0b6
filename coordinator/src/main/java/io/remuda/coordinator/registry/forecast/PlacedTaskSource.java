package io.remuda.coordinator.registry.forecast;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.List;

/** The tasks that hold a place. */
public interface PlacedTaskSource {

  List<PlacedTask> placed();

  JobSpec spec(TaskRecord task);

  TaskClass.SchedulingKey key(TaskRecord task);

  /** Returns the type of a job's tasks. */
  JobType program(JobId job);
}
