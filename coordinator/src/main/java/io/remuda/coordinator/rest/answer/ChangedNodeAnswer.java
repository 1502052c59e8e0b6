package io.remuda.coordinator.rest.answer;

/**
 * A node that was changed.
 *
 * @param node its name
 */
public record ChangedNodeAnswer(String node) {}
