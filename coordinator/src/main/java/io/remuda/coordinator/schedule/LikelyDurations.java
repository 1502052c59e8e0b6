package io.remuda.coordinator.schedule;

import io.remuda.worker.job.JobId;
import java.util.OptionalLong;

/** After how long tasks have very likely ended, by what tasks of their type took. */
@FunctionalInterface
public interface LikelyDurations {

  /** Nothing is known. */
  LikelyDurations UNKNOWN = job -> OptionalLong.empty();

  /** Returns the milliseconds of a task of a job, above 0; empty if that is not known. */
  OptionalLong millis(JobId job);
}
