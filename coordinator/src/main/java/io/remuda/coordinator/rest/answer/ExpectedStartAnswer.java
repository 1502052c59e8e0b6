package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartIntervals;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * When a job, or its next task, may start.
 *
 * @param expectedStartAt time, absent if that is not known
 * @param expectedStartFrom begin of the interval in which it starts in nine of ten cases; absent if
 *     too few starts are known to say how sure that is
 * @param expectedStartUntil end of this interval
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExpectedStartAnswer(
    String expectedStartAt, String expectedStartFrom, String expectedStartUntil) {

  /**
   * Returns when a job may start, to the second; null if that is not known. Before its turn comes
   * that is the time at which it may begin, if nothing else keeps it.
   */
  static ExpectedStartAnswer of(JobForecast forecast, List<WaitReason> reasons, Instant now) {
    if (reasons.size() == 1 && reasons.get(0) instanceof WaitReason.BeginsLater begins) {
      return new ExpectedStartAnswer(time(Instant.ofEpochMilli(begins.atMillis())), null, null);
    }
    if (forecast == null || forecast.startsInMillis() == null) {
      return null;
    }
    StartIntervals.Interval interval = forecast.interval();
    return new ExpectedStartAnswer(
        time(now.plusMillis(forecast.startsInMillis())),
        interval == null ? null : time(now.plusMillis(interval.fromMillis())),
        interval == null ? null : time(now.plusMillis(interval.untilMillis())));
  }

  private static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
