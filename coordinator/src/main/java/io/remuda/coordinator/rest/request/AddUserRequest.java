package io.remuda.coordinator.rest.request;

/**
 * A request to add a user.
 *
 * @param share share of the machines, relative to other users; 1 by default
 * @param replace whether a token that the user has is to be worth nothing; without it such a user
 *     is refused
 */
public record AddUserRequest(String name, Double share, Boolean replace) {}
