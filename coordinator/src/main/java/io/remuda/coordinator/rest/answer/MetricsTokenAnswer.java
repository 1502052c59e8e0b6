package io.remuda.coordinator.rest.answer;

/**
 * The token that reads metrics alone.
 *
 * @param token told once
 * @param replaced whether an earlier one is worth nothing now
 */
public record MetricsTokenAnswer(String token, boolean replaced) {}
