package io.remuda.coordinator.registry.forecast;

import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.JobSpec;
import java.util.List;

/** The tasks that hold a place. */
public interface PlacedTaskSource {

  List<PlacedTask> placed();

  JobSpec spec(TaskRecord task);

  TaskClass.SchedulingKey key(TaskRecord task);
}
