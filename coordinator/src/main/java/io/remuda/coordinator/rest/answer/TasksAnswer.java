package io.remuda.coordinator.rest.answer;

import java.util.List;

/**
 * A page of a job's tasks by index.
 *
 * @param next index of the first task of the next page, or null
 */
public record TasksAnswer(List<TaskAnswer> tasks, Integer next) {}
