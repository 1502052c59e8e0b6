package io.remuda.coordinator.rest.answer;

/** The server has begun to stop. */
public record StoppingAnswer(boolean stopping) {}
