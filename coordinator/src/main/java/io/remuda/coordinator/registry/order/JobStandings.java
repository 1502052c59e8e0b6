package io.remuda.coordinator.registry.order;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.JobStanding;
import io.remuda.coordinator.schedule.order.LearnedDurations;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * How long tasks have run and how long they still take. A training that has told how long an epoch
 * takes needs that for each epoch to come. Else a task takes as long as those of its job that have
 * ended took on average, else as long as half of its type took at most, else as long as it may by
 * its time limit; once it has run longer, nobody knows. Single-threaded.
 */
public final class JobStandings {

  private final RecentDurations durations;
  private final Profiles profiles;
  private final LearnedDurations learned;
  private final Function<JobId, JobType> types;

  /**
   * @param types returns the type of a live job's tasks
   */
  public JobStandings(
      RecentDurations durations, Profiles profiles, Function<JobId, JobType> types) {
    this.durations = durations;
    this.learned = durations.learned();
    this.profiles = profiles;
    this.types = types;
  }

  /** Returns what was learned from tasks that have ended since the server was started. */
  public LearnedDurations learned() {
    return learned;
  }

  /**
   * Returns the standing of a task, or of a gang that its first task stands for.
   *
   * @param gpus of all tasks of the gang
   * @param now in nanoseconds of the monotonic clock
   */
  public JobStanding of(
      TaskRecord task, JobSpec spec, TaskClass.SchedulingKey key, int gpus, long now) {
    long since = task instanceof PlacedTask placed ? placed.progress().runningSince() : 0;
    long current = since == 0 ? 0 : Math.max(0, (now - since) / 1_000_000);
    TrainingTerms training = spec.terms().training();
    TrainingProgress told = task.history().training();
    if (training != null && told != null && told.epochMillis() > 0) {
      long ran = (long) told.epochsDone() * told.epochMillis();
      long epochs = Math.max(0, training.epochs() - told.epochsDone());
      long left = Math.max(1, epochs * told.epochMillis()) + (since == 0 ? restart(key) : 0);
      return new JobStanding(Math.max(1, gpus), ran, OptionalLong.of(left));
    }
    OptionalLong takes = millis(spec, key);
    boolean over = takes.isPresent() && takes.getAsLong() <= current;
    return new JobStanding(
        Math.max(1, gpus),
        current,
        takes.isEmpty() || over
            ? OptionalLong.empty()
            : OptionalLong.of(takes.getAsLong() - current));
  }

  private long restart(TaskClass.SchedulingKey key) {
    return key.type() == null
        ? 0
        : profiles.of(key.type()).map(one -> one.epochs().restartMillis()).orElse(0L);
  }

  private OptionalLong millis(JobSpec spec, TaskClass.SchedulingKey key) {
    OptionalLong measured = durations.millis(spec.id());
    if (measured.isEmpty()) {
      measured = profiles.durations().usual(types.apply(spec.id()));
    }
    return measured.isPresent() || key.timeLimitMillis() == 0
        ? measured
        : OptionalLong.of(key.timeLimitMillis());
  }
}
