package io.remuda.coordinator.schedule.model;

import io.remuda.worker.job.JobId;

/**
 * Tasks of a job of which only some run at once.
 *
 * @param first index of its first task
 * @param most how many of its tasks run at once at most; 0 for all
 */
public record ThrottledTaskGroup(JobId job, int first, int most) {}
