package io.remuda.coordinator.registry.order;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.forecast.PlacedTaskSource;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.AgedUrgency;
import io.remuda.coordinator.schedule.order.JobStanding;
import io.remuda.coordinator.schedule.order.LearnedDurations;
import io.remuda.coordinator.schedule.order.OrderPolicy;
import io.remuda.coordinator.schedule.order.Patience;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * How long tasks have run and how long they still take. A training that has told how long an epoch
 * takes needs that for each epoch to come. Else a task takes as long as those of its job that have
 * ended took on average, else as long as half of its type took at most, else as long as it may by
 * its time limit; once it has run longer, nobody knows. What a task ran before it left a place
 * counts as run, also where it begins anew: what it got was not for others. Single-threaded.
 */
public final class JobStandings {

  private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();

  private final RecentDurations durations;
  private final Profiles profiles;
  private final LearnedDurations learned;
  private final Function<JobId, JobType> types;
  private final Function<JobId, WaitTimes> waits;
  private Long learnedAt;

  /**
   * @param types returns the type of a live job's tasks
   * @param waits returns since when a live job waits
   */
  public JobStandings(
      RecentDurations durations,
      Profiles profiles,
      Function<JobId, JobType> types,
      Function<JobId, WaitTimes> waits) {
    this.waits = waits;
    this.durations = durations;
    this.learned = durations.learned();
    this.profiles = profiles;
    this.types = types;
  }

  /**
   * What a policy says of a job with its age.
   *
   * @param value ends per second
   * @param isOverdue whether it has waited longer than its {@link Patience}
   */
  public record Aged(double value, boolean isOverdue) {}

  /**
   * Returns what a policy says of a task, or of a gang that its first task stands for. A job waits
   * while it does not run, and may be preempted and wait again; of many tasks each that starts is
   * progress, so their wait begins anew.
   *
   * @param gpus of all tasks of the gang
   * @param now in nanoseconds of the monotonic clock
   */
  public Aged aged(
      OrderPolicy policy,
      TaskRecord task,
      JobSpec spec,
      TaskClass.SchedulingKey key,
      int gpus,
      long now) {
    JobStanding standing = of(task, spec, key, gpus, now);
    double value = policy.value(standing, learned);
    WaitTimes times = waits.apply(spec.id());
    long age = times.ageMillis(now);
    boolean ofMany = spec.tasks().size() > 1 && !spec.terms().startsTogether();
    long waited = ofMany ? times.sincePlacedMillis(now) : age - standing.ranMillis();
    return new Aged(AgedUrgency.aged(value, age), waited > Patience.millis(value));
  }

  /**
   * Learns from the tasks that have a place how long tasks run without an end; at most once a
   * minute.
   */
  public void learnFrom(PlacedTaskSource running, long now) {
    if (learnedAt != null && now - learnedAt < EVERY_NANOS) {
      return;
    }
    learnedAt = now;
    for (PlacedTask task : running.placed()) {
      TaskClass.SchedulingKey key = running.key(task);
      boolean first = key.gang() == null || task.id().index() == 0;
      if (first && task.progress().runningSince() != 0) {
        JobSpec spec = running.spec(task);
        int gpus = key.gpusOf(spec);
        durations.runs(task.id(), gpus, of(task, spec, key, gpus, now).ranMillis());
      }
    }
  }

  /** Returns the standing of a task, or of a gang that its first task stands for. */
  private JobStanding of(
      TaskRecord task, JobSpec spec, TaskClass.SchedulingKey key, int gpus, long now) {
    long since = task instanceof PlacedTask placed ? placed.progress().runningSince() : 0;
    long current = since == 0 ? 0 : Math.max(0, (now - since) / 1_000_000);
    TrainingTerms training = spec.terms().training();
    TrainingProgress told = task.history().training();
    if (training != null && told != null && told.epochMillis() > 0) {
      long ran = (long) told.epochsDone() * told.epochMillis() + task.history().lostMillis();
      long epochs = Math.max(0, training.epochs() - told.epochsDone());
      long left = Math.max(1, epochs * told.epochMillis()) + (since == 0 ? restart(key) : 0);
      return new JobStanding(Math.max(1, gpus), ran, OptionalLong.of(left));
    }
    OptionalLong takes = millis(spec, key);
    boolean over = takes.isPresent() && takes.getAsLong() <= current;
    return new JobStanding(
        Math.max(1, gpus),
        task.history().lostMillis() + current,
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
