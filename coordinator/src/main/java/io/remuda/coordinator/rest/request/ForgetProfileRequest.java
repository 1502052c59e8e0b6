package io.remuda.coordinator.rest.request;

/**
 * A request to delete a profile, so that its type is measured again.
 *
 * @param user the owner of the type; null for the caller
 */
public record ForgetProfileRequest(String type, String user) {}
