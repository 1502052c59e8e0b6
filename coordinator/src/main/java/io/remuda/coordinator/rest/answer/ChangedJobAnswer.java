package io.remuda.coordinator.rest.answer;

/** A job that was changed. */
public record ChangedJobAnswer(long id) {}
