package io.remuda.coordinator.meter;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.CycleTimes;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts what a coordinator does for those who ask. Used only by the coordinator's actor. */
public final class CoordinatorMeters {

  private static final double[] QUICK = {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30};
  private static final double[] LONG = {
    1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 7 * 24 * 3600
  };

  private final DurationHistogram waits = new DurationHistogram(LONG);
  private final DurationHistogram runs = new DurationHistogram(LONG);
  private final DurationHistogram cycles = new DurationHistogram(QUICK);
  private final DurationHistogram commits = new DurationHistogram(QUICK);
  private final Map<CycleTimes.Step, Duration> steps = new EnumMap<>(CycleTimes.Step.class);
  private final Map<TaskTrigger, Long> ends = new EnumMap<>(TaskTrigger.class);

  /**
   * Counts a change of a task.
   *
   * @param task its record after the change; null if it is not known any more
   * @param now monotonic time in nanoseconds
   */
  public void changed(TaskChange change, TaskRecord task, long now) {
    if (change.trigger() == TaskTrigger.PLACED && task instanceof PlacedTask placed) {
      waits.observe(now - placed.retryAt());
    } else if (change.releases()) {
      ends.merge(change.trigger(), 1L, Long::sum);
      TaskEnd end = task == null ? null : task.end();
      if (end != null && end.wallMillis() != null) {
        runs.observe(TimeUnit.MILLISECONDS.toNanos(end.wallMillis()));
      }
    }
  }

  /** Counts a cycle that has ended. */
  public void cycle(CycleTimes times) {
    cycles.observe(times.total().toNanos());
    times.last().forEach((step, time) -> steps.merge(step, time, Duration::plus));
  }

  /** Counts a commit that became durable after so many nanoseconds. */
  public void committed(long nanos) {
    commits.observe(nanos);
  }

  /** Returns a copy of the counts. */
  public MeterReadings readings() {
    return new MeterReadings(
        waits.reading(), runs.reading(), cycles.reading(), steps, commits.reading(), ends);
  }
}
