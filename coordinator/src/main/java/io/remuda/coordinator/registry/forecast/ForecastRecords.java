package io.remuda.coordinator.registry.forecast;

import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartIntervals;
import io.remuda.worker.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Compares forecasts of starts with the starts, and so learns in which interval a job starts. Of a
 * job count the first forecast, and those after one, two, four, eight minutes and so on; only until
 * its first task starts, so that an array is not all that counts. One that is held, changed by its
 * user or cancelled does not count, and no forecast from before somebody changed the order of jobs
 * by hand. What is learned is a part of the profiles, so that it outlives this coordinator.
 * Single-threaded.
 */
public final class ForecastRecords {

  /** Maximum number of waiting jobs of which forecasts are remembered. */
  private static final int MOST_JOBS = 2000;

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long NANOS_OF_MILLI = 1_000_000;
  private static final long MILLIS_OF_DAY = 86_400_000;

  /** A decade: what is further away is for ever, and too long for nanoseconds. */
  private static final long MOST_MILLIS = 3650 * MILLIS_OF_DAY;

  /** A forecast; its interval is null if it has none, or is counted already. */
  private record Shown(long at, long expectedMillis, StartIntervals.Interval interval) {
    private long waitedMillis(long now) {
      return (now - at) / NANOS_OF_MILLI;
    }

    /** Returns the end of its interval, in nanoseconds of the monotonic clock. */
    private OptionalLong until() {
      return interval == null
          ? OptionalLong.empty()
          : OptionalLong.of(at + Math.min(MOST_MILLIS, interval.untilMillis()) * NANOS_OF_MILLI);
    }

    private boolean isLate(long now) {
      return interval != null && waitedMillis(now) > interval.untilMillis();
    }
  }

  private static final class Waiting {
    private final List<Shown> shown = new ArrayList<>();
    private final long since;

    private Waiting(long since) {
      this.since = since;
    }

    private boolean isDue(long now) {
      return shown.isEmpty() || now - since >= MINUTE << Math.min(20, shown.size() - 1);
    }
  }

  private final Profiles profiles;
  private final Map<JobId, Waiting> waiting = new HashMap<>();
  private final Set<JobId> started = new HashSet<>();
  private long today;

  /** Until when jobs start by what they were told; null if it must be made again. */
  private Map<JobId, Long> latestStarts;

  /** When the first of them will have passed. */
  private long latestUntil;

  private Long storedAt;

  /** Goes on from what the profiles know; null until it is needed, when they are restored. */
  private StartIntervals intervals;

  public ForecastRecords(Profiles profiles) {
    this.profiles = profiles;
  }

  /** Sets the time in milliseconds since 1970. */
  public void at(long wallMillis) {
    today = Math.floorDiv(wallMillis, MILLIS_OF_DAY);
  }

  /** Returns forecasts with their intervals, and remembers some of them. */
  public Map<JobId, JobForecast> shown(Map<JobId, JobForecast> forecasts, long now) {
    waiting.keySet().removeIf(job -> !forecasts.containsKey(job));
    waiting.values().forEach(one -> learnLate(one, now));
    Map<JobId, JobForecast> all = new HashMap<>();
    forecasts.forEach((job, forecast) -> all.put(job, shown(job, forecast, now)));
    latestStarts = null;
    return all;
  }

  /**
   * Returns until when jobs start by what they were told, in nanoseconds of the monotonic clock:
   * the earliest end of the intervals that are not over.
   */
  public Map<JobId, Long> latestStarts(long now) {
    if (latestStarts == null || (!latestStarts.isEmpty() && now - latestUntil >= 0)) {
      Map<JobId, Long> all = new HashMap<>();
      latestUntil = now + MOST_MILLIS * NANOS_OF_MILLI;
      waiting.forEach(
          (job, one) ->
              one.shown.stream()
                  .flatMapToLong(shown -> shown.until().stream())
                  .filter(until -> until - now > 0)
                  .boxed()
                  .min((left, right) -> Long.signum(left - right))
                  .ifPresent(until -> all.put(job, until)));
      all.values().forEach(until -> latestUntil = until - latestUntil < 0 ? until : latestUntil);
      latestStarts = Map.copyOf(all);
    }
    return latestStarts;
  }

  private JobForecast shown(JobId job, JobForecast forecast, long now) {
    Long starts = forecast.startsInMillis();
    if (starts == null) {
      return forecast;
    }
    StartIntervals.Interval interval = intervals().of(starts, today).orElse(null);
    boolean counts = !started.contains(job) && waiting.size() < MOST_JOBS;
    if (counts || waiting.containsKey(job)) {
      Waiting one = waiting.computeIfAbsent(job, any -> new Waiting(now));
      if (one.isDue(now)) {
        one.shown.add(new Shown(now, starts, interval));
      }
    }
    return interval == null
        ? forecast
        : new JobForecast(forecast.turn(), interval.likelyMillis(), interval);
  }

  /** Notes that a task of a job got its place. */
  public void started(JobId job, long now) {
    if (!started.add(job)) {
      return;
    }
    Waiting one = waiting.remove(job);
    if (one == null) {
      return;
    }
    latestStarts = null;
    one.shown.forEach(shown -> learn(shown, now));
    if (storedAt == null || now - storedAt > MINUTE) {
      storedAt = now;
      profiles.put(Profile.unknown(Profile.CLUSTER).starting(intervals().learned()));
    }
  }

  private void learn(Shown shown, long now) {
    intervals().waited(shown.expectedMillis(), shown.interval(), shown.waitedMillis(now), today);
  }

  /** Learns from those that still wait after their intervals, each once. */
  private void learnLate(Waiting one, long now) {
    for (int i = 0; i < one.shown.size(); i++) {
      Shown shown = one.shown.get(i);
      if (shown.isLate(now)) {
        learn(shown, now);
        one.shown.set(i, new Shown(shown.at(), shown.expectedMillis(), null));
      }
    }
  }

  private StartIntervals intervals() {
    if (intervals == null) {
      intervals = new StartIntervals();
      profiles.of(Profile.CLUSTER).ifPresent(cluster -> intervals.restore(cluster.starts()));
    }
    return intervals;
  }

  /** Drops what was forecast for a job that its user has changed, held or released. */
  public void changed(JobId job) {
    latestStarts = null;
    waiting.remove(job);
  }

  /** Drops what was forecast for jobs whose order somebody has changed. */
  public void reordered(Predicate<JobId> affected) {
    latestStarts = null;
    waiting.keySet().removeIf(affected);
  }

  /** Forgets an ended job. */
  public void forget(JobId job) {
    if (waiting.remove(job) != null) {
      latestStarts = null;
    }
    started.remove(job);
  }
}
