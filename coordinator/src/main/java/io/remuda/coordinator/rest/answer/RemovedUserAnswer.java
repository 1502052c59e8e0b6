package io.remuda.coordinator.rest.answer;

/** A user that was removed. */
public record RemovedUserAnswer(String name) {}
