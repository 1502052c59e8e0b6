package io.remuda.coordinator.api;

/**
 * How a node is reached.
 *
 * @param address at which other nodes reach it
 * @param seconds since it has joined or, if it is silent, since it is; null if that is not known
 * @param left why its agent has ended, as it has said itself; null while it is connected, or if it
 *     is silent without a word
 */
public record NodeConnectionInfo(String address, Long seconds, String left) {}
