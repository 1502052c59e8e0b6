package io.remuda.coordinator.api;

import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;

/**
 * Why the first waiting task of a job waits at a moment.
 *
 * @param task its index
 * @param reason the first of its reasons
 * @param others number of further reasons
 * @param forecast whose turn it is and when it may start; null if that is not known
 */
public record JobWait(JobId job, int task, WaitReason reason, int others, JobForecast forecast) {}
