package io.remuda.coordinator.store.query;

/**
 * An attempt that has ended and was followed by another one. Times are milliseconds since 1970, 0
 * if not known.
 *
 * @param node where it was, or null
 * @param started when its process was first seen, or it was placed
 * @param cause why it ended, for people, or null
 */
public record EarlierAttempt(
    int task, int attempt, String node, long started, long ended, String cause) {}
