package io.remuda.coordinator.registry;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.task.MemoryFloor;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.TaskAttemptSummary;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** What tasks need, and what they have in common with others. Single-threaded. */
final class TaskNeeds {

  private final Profiles profiles;
  private final TaskGroupOccupancy groups;

  TaskNeeds(Profiles profiles, TaskGroupOccupancy groups) {
    this.profiles = profiles;
    this.groups = groups;
  }

  /** Returns the type that sizes the tasks' part of a device; empty if the job states the size. */
  static Optional<JobType> type(JobSpec spec) {
    return spec.request().gpuShare().isMeasured()
        ? Optional.of(new JobType(spec.user(), spec.terms().type()))
        : Optional.empty();
  }

  /** Returns whether nothing is known of what tasks of the type need. */
  boolean isFirstRun(JobType type) {
    return profiles.of(type).filter(Profile::isKnown).isEmpty();
  }

  /** Returns what a task of a new job needs, with the memory measured for its type if known. */
  ResourceRequest measured(ResourceRequest asked, Optional<JobType> type) {
    return type.flatMap(profiles::of).map(profile -> profile.applied(asked)).orElse(asked);
  }

  /** Returns how long tasks of a type usually take; 0 if that is not known. */
  long usualMillis(JobType type) {
    return profiles.durations().usual(type).orElse(0);
  }

  /**
   * Returns the resources of a task.
   *
   * @param place what it was promised; null without a place
   */
  ResourceRequest of(JobSpec spec, int task, Place place, TaskAttemptSummary history) {
    MemoryFloor floor = history.floor();
    ResourceRequest asked =
        floor.raiseMemory(ElasticTrainingScaler.request(spec, task, place, history));
    if (!asked.gpuShare().isByMemory()) {
      return asked;
    }
    if (place != null && place.gpuMemory() != 0) {
      return measured(asked, type(spec)).withGpuMemory(place.gpuMemory());
    }
    return floor.raiseGpuMemory(measured(asked, type(spec)));
  }

  /** Returns the scheduling key of a task; {@code place} is null without one. */
  TaskClass.SchedulingKey key(JobSpec spec, int task, Place place, TaskAttemptSummary history) {
    JobTerms terms = spec.terms();
    return new TaskClass.SchedulingKey(
        terms.rank(),
        spec.user(),
        of(spec, terms.startsTogether() ? 0 : task, place, history),
        terms.policy(),
        terms.timeLimitMillis(),
        Gang.of(spec.id(), terms.gang()),
        type(spec).orElse(null),
        !history.floor().isNone(),
        groups.of(spec, task),
        terms.array().first());
  }
}
