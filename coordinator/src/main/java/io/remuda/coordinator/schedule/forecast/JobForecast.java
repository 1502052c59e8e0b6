package io.remuda.coordinator.schedule.forecast;

/**
 * What is expected of a job of which tasks wait for a place.
 *
 * @param turn its place in the order of the waiting jobs, from 1
 * @param startsInMillis when the first of them may start, or null if that is not known
 */
public record JobForecast(int turn, Long startsInMillis) {}
