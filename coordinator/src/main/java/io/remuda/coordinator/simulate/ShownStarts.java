package io.remuda.coordinator.simulate;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.profile.TypeDurations;
import io.remuda.coordinator.registry.forecast.ForecastRecords;
import io.remuda.coordinator.schedule.forecast.ExpectedSlotEnd;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.forecast.StartForecast;
import io.remuda.coordinator.schedule.order.QueueOrder;
import io.remuda.worker.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Compares when jobs were shown to start, by the forecaster of the job service, with when they did.
 * The forecaster knows how long jobs of a user with as many GPUs took, or the lengths if these are
 * known. A job is looked at when it comes, and all that wait once a minute at most.
 * Single-threaded.
 */
final class ShownStarts {

  private static final long EVERY_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final long CLOSE_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final double CLOSE_PART = 0.1;
  private static final long NANOS_OF_MILLI = 1_000_000;
  private static final double MILLIS = 1000;

  /** What a job was shown when it came; null if it was shown nothing. */
  private record Shown(long at, JobForecast forecast) {}

  private final Profiles profiles = new Profiles();
  private final ForecastRecords records = new ForecastRecords(profiles);
  private final KnownDurations durations;
  private final PreemptionCost overheads;
  private final Map<JobId, Shown> shown = new HashMap<>();
  private final List<Long> widths = new ArrayList<>();
  private long lookedAt = Long.MIN_VALUE / 2;
  private int jobs;
  private int atOnce;
  private int told;
  private int close;
  private int held;

  ShownStarts(KnownDurations durations, PreemptionCost overheads) {
    this.durations = durations;
    this.overheads = overheads;
  }

  private static JobType type(SimulatedJob job) {
    return new JobType(job.key().user(), "gpus " + job.gpus());
  }

  private OptionalLong left(JobRun run, long now) {
    TypeDurations types = profiles.durations();
    return durations == KnownDurations.KNOWN
        ? run.standing(now, overheads, durations).leftMillis()
        : types.left(type(run.job()), run.runs() ? now - run.startedAt() : 0);
  }

  /**
   * Looks at the jobs that wait.
   *
   * @param fresh those of them that have just come
   */
  void look(
      Collection<JobRun> fresh,
      QueueOrder order,
      Collection<JobRun> running,
      Map<Long, JobRun> all,
      StartForecast.Offers offers,
      long now) {
    if (fresh.isEmpty() && now - lookedAt < EVERY_MILLIS) {
      return;
    }
    lookedAt = now;
    List<ExpectedSlotEnd> ends = new ArrayList<>();
    for (JobRun run : running) {
      left(run, now)
          .ifPresent(millis -> ends.add(new ExpectedSlotEnd(run.job().id().value(), millis)));
    }
    records.at(now);
    Map<JobId, JobForecast> forecasts =
        records.shown(
            StartForecast.of(order, ends, offers, (job, key) -> left(all.get(job.value()), now)),
            now * NANOS_OF_MILLI);
    for (JobRun run : fresh) {
      JobForecast one = forecasts.get(run.job().id());
      boolean told = one != null && one.startsInMillis() != null;
      shown.put(run.job().id(), new Shown(now, told ? one : null));
    }
  }

  /** Returns until when jobs start by what they were shown. */
  Map<JobId, Long> latest(long now) {
    return records.latestStarts(now * NANOS_OF_MILLI);
  }

  /** Notes a start; only the first of a job counts. */
  void started(JobRun run, long now) {
    records.started(run.job().id(), now * NANOS_OF_MILLI);
    if (run.version() > 1) {
      return;
    }
    jobs++;
    Shown before = shown.remove(run.job().id());
    if (before == null) {
      atOnce++;
    } else if (before.forecast() != null) {
      compare(before.forecast(), now - before.at());
    }
  }

  private void compare(JobForecast forecast, long waited) {
    told++;
    long off = Math.abs(waited - forecast.startsInMillis());
    close += off <= Math.max(CLOSE_MILLIS, CLOSE_PART * waited) ? 1 : 0;
    if (forecast.interval() != null) {
      long from = forecast.interval().fromMillis();
      long until = forecast.interval().untilMillis();
      widths.add(until - from);
      held += from <= waited && waited <= until ? 1 : 0;
    }
  }

  /** Notes an end, from which is learned how long jobs take. */
  void ended(JobRun run, long millis) {
    profiles.durations().ran(type(run.job()), millis);
    profiles.takeChanges();
    records.forget(run.job().id());
  }

  ShownStartsSummary summary() {
    List<Long> sorted = widths.stream().sorted().toList();
    return new ShownStartsSummary(
        jobs,
        atOnce,
        told,
        part(atOnce + close, jobs),
        part(close, told),
        widths.size(),
        part(held, widths.size()),
        sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2) / MILLIS);
  }

  private static double part(int some, int all) {
    return all == 0 ? 0 : (double) some / all;
  }
}
