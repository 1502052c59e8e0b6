package io.remuda.coordinator.rest.answer;

/**
 * A user that was added.
 *
 * @param token of its access file, told once
 * @param replaced whether its earlier access file is worth nothing now
 */
public record AddedUserAnswer(String name, String token, boolean replaced) {}
