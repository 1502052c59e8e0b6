package io.remuda.coordinator.schedule;

import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;

/** A waiting task and what it needs. */
public record Request(TaskId task, ResourceRequest needs) {}
