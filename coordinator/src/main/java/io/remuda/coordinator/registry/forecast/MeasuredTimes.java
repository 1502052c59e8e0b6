package io.remuda.coordinator.registry.forecast;

import io.remuda.worker.job.JobId;
import java.util.OptionalLong;

/** How long the tasks of a job took. */
public interface MeasuredTimes {

  /** Returns the average in milliseconds, if a task has ended recently. */
  OptionalLong millis(JobId job);
}
