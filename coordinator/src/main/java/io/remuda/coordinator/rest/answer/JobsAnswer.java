package io.remuda.coordinator.rest.answer;

import java.util.List;

/**
 * A page of jobs, the newest first.
 *
 * @param next what {@code before} is for the next page, or null
 */
public record JobsAnswer(List<JobAnswer> jobs, Long next) {}
