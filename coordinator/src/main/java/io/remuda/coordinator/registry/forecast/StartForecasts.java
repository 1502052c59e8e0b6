package io.remuda.coordinator.registry.forecast;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.profile.TypeDurations;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.forecast.ExpectedSlotEnd;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartForecast;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.QueueOrder;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Makes forecasts of when jobs start, and keeps each for a moment. What a task takes is the average
 * of the tasks of its job that have ended since the start of this coordinator; else what most tasks
 * of its type took; else those of its user, else those of all; else its time limit; else it is not
 * known. Of one that runs only those count that took longer. Single-threaded.
 */
public final class StartForecasts {

  private static final long KEPT_NANOS = 1_000_000_000;

  private final PlacedTaskSource running;
  private final MeasuredTimes durations;
  private final TypeDurations types;
  private final ForecastRecords records;
  private Map<JobId, JobForecast> last = Map.of();
  private Long madeAt;

  public StartForecasts(PlacedTaskSource running, MeasuredTimes durations, Profiles profiles) {
    this.running = running;
    this.durations = durations;
    this.types = profiles.durations();
    this.records = new ForecastRecords(profiles);
  }

  /** Returns what forecasts are compared with. */
  public ForecastRecords records() {
    return records;
  }

  /** Drops the forecast that is kept. */
  public void forget() {
    madeAt = null;
  }

  /** Returns the forecast of each waiting job, at most a second old. */
  public Map<JobId, JobForecast> of(
      Snapshot snapshot, List<TaskClass> classes, StartForecast.Offers offers, long now) {
    if (madeAt == null || now - madeAt > KEPT_NANOS) {
      QueueOrder order =
          new QueueOrder(classes, snapshot.use(), snapshot.shares(), snapshot.turns());
      last = records.shown(StartForecast.of(order, ends(now), offers, this::millis), now);
      madeAt = now;
    }
    return last;
  }

  private OptionalLong millis(JobId job, TaskClass.SchedulingKey key) {
    OptionalLong measured = durations.millis(job);
    return within(
        measured.isPresent() ? measured : types.left(running.program(job), 0),
        key.timeLimitMillis());
  }

  private static OptionalLong within(OptionalLong millis, long limit) {
    return limit > 0 && (millis.isEmpty() || millis.getAsLong() > limit)
        ? OptionalLong.of(limit)
        : millis;
  }

  /** Returns the slots whose tasks are all known to end. */
  private List<ExpectedSlotEnd> ends(long now) {
    Map<Long, Long> bySlot = new HashMap<>();
    Set<Long> unknown = new HashSet<>();
    for (PlacedTask task : running.placed()) {
      OptionalLong left = left(task, now);
      if (left.isEmpty()) {
        unknown.add(task.place().slot());
      } else {
        bySlot.merge(task.place().slot(), left.getAsLong(), Long::sum); // one after the other
      }
    }
    List<ExpectedSlotEnd> ends = new ArrayList<>();
    bySlot.forEach(
        (slot, millis) -> {
          if (!unknown.contains(slot)) {
            ends.add(new ExpectedSlotEnd(slot, millis));
          }
        });
    return ends;
  }

  /** Returns the milliseconds that a task still takes. */
  private OptionalLong left(PlacedTask task, long now) {
    JobSpec spec = running.spec(task);
    if (task.state() == TaskState.UNKNOWN) {
      return OptionalLong.empty();
    }
    if (task.state().isLeaving()) {
      return OptionalLong.of(spec.terms().ending().graceMillis());
    }
    long since = task.progress().runningSince();
    long ran = since == 0 ? 0 : (now - since) / 1_000_000;
    OptionalLong measured = durations.millis(spec.id());
    OptionalLong expected =
        measured.isPresent() && measured.getAsLong() > ran
            ? OptionalLong.of(measured.getAsLong() - ran)
            : types.left(running.program(spec.id()), ran);
    long limit = spec.terms().timeLimitMillis();
    return within(expected, limit == 0 ? 0 : Math.max(1, limit - ran));
  }
}
