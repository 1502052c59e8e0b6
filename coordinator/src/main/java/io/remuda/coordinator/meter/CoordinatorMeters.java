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
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Counts what a coordinator does for those who ask. Used only by the coordinator's actor. */
public final class CoordinatorMeters {

  private static final double[] LONG = {
    1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 7 * 24 * 3600
  };

  private final DurationHistogram waits = new DurationHistogram(LONG);
  private final DurationHistogram runs = new DurationHistogram(LONG);
  private final DurationHistogram cycles = DurationHistogram.quick();
  private final DurationHistogram commits = DurationHistogram.quick();
  private final DurationHistogram trips = DurationHistogram.quick();
  private final Supplier<DurationHistogram.Reading> syncs;
  private final Map<CycleTimes.Step, Duration> steps = new EnumMap<>(CycleTimes.Step.class);
  private final Map<TaskTrigger, Long> ends = new EnumMap<>(TaskTrigger.class);

  /**
   * @param syncs what the store counts itself
   */
  public CoordinatorMeters(Supplier<DurationHistogram.Reading> syncs) {
    this.syncs = syncs;
  }

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

  /**
   * Returns what counts how soon orders are followed.
   *
   * @param clock monotonic, in nanoseconds
   */
  public OrderRoundTrips trips(LongSupplier clock) {
    return new OrderRoundTrips(clock, trips::observe);
  }

  /** Returns a copy of the counts. */
  public MeterReadings readings() {
    return new MeterReadings(
        waits.reading(),
        runs.reading(),
        cycles.reading(),
        steps,
        commits.reading(),
        syncs.get(),
        trips.reading(),
        ends);
  }
}
