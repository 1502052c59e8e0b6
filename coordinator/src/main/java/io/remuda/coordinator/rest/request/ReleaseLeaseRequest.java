package io.remuda.coordinator.rest.request;

/**
 * A program's request to release a lease.
 *
 * @param attempt the attempt to end; null for the current one
 * @param succeeded whether the program's work succeeded
 * @param error the end of the error message, or null
 * @param again whether it would retry with more memory
 */
public record ReleaseLeaseRequest(
    Integer attempt, Boolean succeeded, String error, Boolean again) {}
