package io.remuda.coordinator.rest.request;

/**
 * A request to submit a job again; null stands for the default.
 *
 * @param failed whether only the tasks that have failed
 * @param withDependents whether also the jobs that were cancelled because of it
 * @param changes fields of a job, in place of its own
 * @param clientKey idempotency key
 */
public record ResubmitRequest(
    Boolean failed, Boolean withDependents, JobRequest changes, String clientKey) {}
