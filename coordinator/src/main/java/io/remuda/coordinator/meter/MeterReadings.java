package io.remuda.coordinator.meter;

import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.schedule.CycleTimes;
import java.time.Duration;
import java.util.Map;

/**
 * What a coordinator has counted since it began to lead.
 *
 * @param waits of tasks, from when each could be placed first, or again, to its place
 * @param runs of processes of tasks, as their nodes measured them
 * @param cycles of the scheduler
 * @param steps time in each step of these cycles
 * @param commits from when rows were passed on until they were durable
 * @param syncs of transactions, in which the database makes them safe from a power failure
 * @param trips from an order with something new to the report of its node that follows it
 * @param ends of attempts, by what ended them
 */
public record MeterReadings(
    DurationHistogram.Reading waits,
    DurationHistogram.Reading runs,
    DurationHistogram.Reading cycles,
    Map<CycleTimes.Step, Duration> steps,
    DurationHistogram.Reading commits,
    DurationHistogram.Reading syncs,
    DurationHistogram.Reading trips,
    Map<TaskTrigger, Long> ends) {
  public MeterReadings {
    steps = Map.copyOf(steps);
    ends = Map.copyOf(ends);
  }
}
