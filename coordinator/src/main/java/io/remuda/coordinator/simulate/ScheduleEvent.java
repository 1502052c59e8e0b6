package io.remuda.coordinator.simulate;

/**
 * What happens to a job of a simulated schedule.
 *
 * @param atMillis since the start of the trace
 * @param job its name
 * @param nodes where it starts, as {@code n003:8;n005:4}; empty otherwise
 * @param gpus of the job
 */
public record ScheduleEvent(long atMillis, String job, Kind kind, String nodes, int gpus) {

  /** What happens. */
  public enum Kind {
    START,
    PREEMPT,
    FINISH
  }
}
