package io.remuda.coordinator.simulate;

/**
 * How right it was when jobs were shown to start, when they came. Near is within a minute or a
 * tenth of the wait; a job that started at once is.
 *
 * @param jobs number of jobs that have started
 * @param atOnce those that started when they came
 * @param told those that waited and were told when they would start
 * @param near part of all jobs that started near what they were told
 * @param nearOfTold part of those that waited and were told
 * @param intervals number of those that were told an interval
 * @param held part of these that started in it
 * @param width median of the intervals, in seconds
 */
public record ShownStartsSummary(
    int jobs,
    int atOnce,
    int told,
    double near,
    double nearOfTold,
    int intervals,
    double held,
    double width) {}
