package io.remuda.coordinator.rest.answer;

/**
 * A task of another state file that was ended.
 *
 * @param id of its attempt
 */
public record EndedForeignTaskAnswer(String id) {}
