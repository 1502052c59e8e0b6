package io.remuda.coordinator.rest.answer;

/**
 * The token that reads metrics alone was removed.
 *
 * @param removed whether there was one
 */
public record RemovedMetricsTokenAnswer(boolean removed) {}
