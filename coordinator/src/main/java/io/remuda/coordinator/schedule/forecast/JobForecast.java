package io.remuda.coordinator.schedule.forecast;

/**
 * What is expected of a job of which tasks wait for a place.
 *
 * @param turn its place in the order of the waiting jobs, from 1
 * @param startsInMillis when the first of them may start, or null if that is not known
 * @param interval in which that very likely is, or null if not enough is known
 */
public record JobForecast(int turn, Long startsInMillis, StartIntervals.Interval interval) {

  /** Creates a forecast without an interval. */
  public JobForecast(int turn, Long startsInMillis) {
    this(turn, startsInMillis, null);
  }
}
