package io.remuda.coordinator.api;

import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import java.util.List;

/**
 * Why the first waiting task of a job waits at a moment.
 *
 * @param task its index
 * @param reasons at least one, node by node
 * @param gpus whether it wants GPUs
 * @param forecast whose turn it is and when it may start; null if that is not known
 */
public record JobWait(
    JobId job, int task, List<WaitReason> reasons, boolean gpus, JobForecast forecast) {
  public JobWait {
    reasons = List.copyOf(reasons);
  }
}
