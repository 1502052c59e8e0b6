package io.remuda.coordinator.rest.answer;

/**
 * A type whose profile was removed.
 *
 * @param type its name
 */
public record ForgottenProfileAnswer(String type) {}
