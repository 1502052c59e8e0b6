package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobSpec;
import java.util.Collection;
import java.util.Set;

/**
 * A job as an earlier coordinator stored it.
 *
 * @param open dependencies that are not met yet
 * @param base state of the untouched tasks
 * @param why they are in that state, or null
 * @param changed records of the other tasks that have not ended
 * @param ended the other tasks that have ended
 * @param gangStart newest start of its gang
 * @param submittedAt when it was submitted, on the monotonic clock, so perhaps below 0
 * @param begunAt when its first task began, on the monotonic clock; null if none has
 */
public record RestoredJob(
    JobSpec job,
    Set<JobDependency> open,
    TaskState base,
    String why,
    Collection<TaskRecord> changed,
    EndedTasks ended,
    GangStart gangStart,
    long submittedAt,
    Long begunAt) {}
