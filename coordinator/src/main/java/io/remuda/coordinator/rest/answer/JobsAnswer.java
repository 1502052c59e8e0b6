package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * A page of jobs, the newest first, or the jobs that were named, in that order.
 *
 * @param next what {@code before} is for the next page, or null
 * @param filtered true: the server knows all selectors and filters; one of an earlier build lacks
 *     this field and lists jobs that were not asked for
 * @param notes what to know of the choice, in words; absent if nothing
 */
public record JobsAnswer(
    List<ListedJobAnswer> jobs,
    Long next,
    boolean filtered,
    @JsonInclude(JsonInclude.Include.NON_NULL) List<String> notes) {}
