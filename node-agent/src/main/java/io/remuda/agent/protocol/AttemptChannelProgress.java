package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * How far a channel is.
 *
 * @param taken number of bytes that were written to it
 * @param used number of these that the task has read
 * @param ended whether nothing more can be written or read
 * @param exitCode of a shell that has ended, or null
 */
public record AttemptChannelProgress(
    long taken,
    long used,
    boolean ended,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer exitCode) {}
