package io.remuda.coordinator.api;

/**
 * How a node is reached.
 *
 * @param address at which other nodes reach it
 * @param seconds since it has joined or, if it is silent, since it is; null if that is not known
 */
public record NodeContact(String address, Long seconds) {}
