package io.remuda.coordinator.schedule;

import io.remuda.worker.job.TaskId;

/**
 * A waiting task.
 *
 * @param gpus whole devices that it needs
 */
public record Request(TaskId task, int gpus) {}
