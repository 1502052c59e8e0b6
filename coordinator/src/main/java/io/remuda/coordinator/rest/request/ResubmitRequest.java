package io.remuda.coordinator.rest.request;

/**
 * A request to submit a job again; null stands for the default.
 *
 * @param failed whether only the tasks that have failed or were lost
 * @param unsuccessful whether only the tasks that have ended and did not succeed
 * @param tasks only the tasks with these numbers from 0, such as {@code 2,4-7}
 * @param withDependents whether also the jobs that were cancelled because of it
 * @param changes fields of a job, in place of its own
 * @param clientKey idempotency key
 */
public record ResubmitRequest(
    Boolean failed,
    Boolean unsuccessful,
    String tasks,
    Boolean withDependents,
    JobRequest changes,
    String clientKey) {}
