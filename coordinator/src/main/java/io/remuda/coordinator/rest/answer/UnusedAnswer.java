package io.remuda.coordinator.rest.answer;

/**
 * What jobs of one type held and did not use.
 *
 * @param user whose jobs
 * @param type of the jobs
 * @param text what it was, with advice
 */
public record UnusedAnswer(String user, String type, String text) {}
