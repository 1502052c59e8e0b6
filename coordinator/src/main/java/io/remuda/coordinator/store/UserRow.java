package io.remuda.coordinator.store;

/**
 * Somebody who may submit jobs.
 *
 * @param share of the machines that the user is due, relative to others, above 0
 * @param tokenHash SHA-256 of the user's token, as hexadecimal digits; the token is kept nowhere
 */
public record UserRow(String name, double share, String tokenHash) {}
