package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.profile.EpochSpeeds;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.PairSpeeds;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.task.MemoryFloor;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.FitCheck;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TrainingProgress;
import java.util.Objects;
import java.util.Optional;

/**
 * Updates the profiles of job types when tasks end: the GPU memory that they need, and their speed
 * beside tasks of other types. Single-threaded.
 */
final class ProfileUpdates {

  /** Factor by which memory is increased for the retry when it was too little. */
  private static final double GROWTH = 1.5;

  /** A shared device is sampled once a second: the peak of a shorter run may have been missed. */
  private static final long WELL_SEEN_MILLIS = 10_000;

  /**
   * Number of exclusive runs after which speeds of leases are believed; the duration of one lease
   * shows little, since its program decides it.
   */
  private static final int LEASES_ALONE = 2;

  private static final int PERCENT = 100;

  /** Shift from MiB to bytes. */
  private static final int MEBIBYTE = 20;

  private final TaskTable table;
  private final Profiles profiles;
  private final OfferCache offers;
  private final CoLocationTimeMeter coLocation;

  ProfileUpdates(
      TaskTable table, Profiles profiles, OfferCache offers, CoLocationTimeMeter coLocation) {
    this.table = table;
    this.profiles = profiles;
    this.offers = offers;
    this.coLocation = coLocation;
  }

  /** Returns who keeps the promises that follow from these profiles. */
  SharePromiseKeeper promises() {
    return new SharePromiseKeeper(table, profiles);
  }

  /** Updates the profile of a placed task that has ended by itself or was ended. */
  void ended(PlacedTask task, TaskEnd end, long now) {
    Optional<JobType> type = TaskNeeds.type(table.spec(task));
    if (type.isEmpty() || end.gpu() == null || end.kind() != TaskEnd.Kind.BY_ITSELF) {
      return;
    }
    long used = end.gpu().peakBytes();
    if (used == 0) {
      unused(task, type.get(), end);
      return;
    }
    long size = offers.smallest(task.place().devices());
    int percent = size == 0 ? 0 : (int) Math.min(PERCENT, used * PERCENT / size);
    long peak = size == 0 ? used : Math.min(used, Profile.peakFor(ResourceRequest.nearlyAll(size)));
    Profile before = profiles.of(type.get()).orElse(Profile.unknown(type.get()));
    long wall = end.wallMillis() == null ? before.wallMillis() : end.wallMillis();
    boolean wellSeen = table.needs(task).gpuShare().isMeasured() || wall >= WELL_SEEN_MILLIS;
    if (!end.succeeded()) {
      learn(before, before.failed(peak));
    } else {
      Profile timed = run(task, end, now).map(before::took).orElse(before);
      boolean shows = wellSeen || before.isKnown() && peak >= before.quantile(1);
      Profile after =
          shows
              ? timed
                  .seenWith(task.floor().gpuMemory())
                  .ran(peak, percent, end.gpu().utilPercent(), wall)
              : timed;
      learn(before, after);
    }
  }

  /** Adds the duration of a task that has succeeded, unless it went on after it was interrupted. */
  void succeeded(PlacedTask task, TaskEnd end) {
    if (end.wallMillis() != null && task.preemptions() == 0) {
      profiles.durations().ran(table.job(task.id().job()).program(), end.wallMillis());
    }
  }

  /** Updates the profile after an epoch of a training, which has told how long it took. */
  void trained(PlacedTask task, TrainingProgress told, long now) {
    Optional<JobType> type = ElasticTrainingScaler.type(table.spec(task));
    if (type.isEmpty() || told.epochMillis() == 0) {
      return;
    }
    Profile before = profiles.of(type.get()).orElse(Profile.unknown(type.get()));
    Profile after = timed(task, before, told, now);
    boolean first = told.epochsDone() == task.epochsDone() + 1 && task.progress().savedAt() == 0;
    if (first && told.startMillis() > 0) {
      after = after.restarted(told.startMillis());
    }
    Profile seen = isNews(task, before, told) ? observed(task, after, told) : after;
    learn(before, seen);
  }

  /** Adds what an epoch took: alone, or beside one task of another type. */
  private Profile timed(PlacedTask task, Profile before, TrainingProgress told, long now) {
    String model = ElasticTrainingScaler.model(offers, task.place());
    int gpus = task.place().devices().size();
    CoLocationTimeMeter.Company company = coLocation.sinceLastEpoch(task.id(), now);
    if (company.isAlone()) {
      return before.trained(
          new EpochSpeeds.EpochTime(
              model,
              gpus,
              1,
              told.epochMillis(),
              told.stepSeconds(),
              told.gpuMiB(),
              told.utilPercent()));
    }
    Optional<EpochSpeeds.EpochTime> alone = before.epochs().of(model, gpus);
    return company.type().isEmpty() || alone.isEmpty()
        ? before
        : before.trainedBeside(company.type().get(), alone.get().millis(), told.epochMillis());
  }

  /** Returns whether an epoch shows what memory the type needs while others wait to know that. */
  private boolean isNews(PlacedTask task, Profile before, TrainingProgress told) {
    return !before.isKnown()
        && told.gpuMiB() != null
        && told.gpuMiB() > 0
        && table.needs(task).gpuShare().isMeasured();
  }

  private Profile observed(PlacedTask task, Profile before, TrainingProgress told) {
    long used = told.gpuMiB() << MEBIBYTE;
    long size = offers.smallest(task.place().devices());
    int percent = size == 0 ? 0 : (int) Math.min(PERCENT, used * PERCENT / size);
    long peak = size == 0 ? used : Math.min(used, Profile.peakFor(ResourceRequest.nearlyAll(size)));
    return before.observed(peak, percent, told.utilPercent());
  }

  /** A run that was not measured on devices of its own may have used memory unseen. */
  private void unused(TaskRecord task, JobType type, TaskEnd end) {
    if (end.succeeded() && table.needs(task).gpuShare().isMeasured()) {
      Profile before = profiles.of(type).orElse(Profile.unknown(type));
      learn(before, before.unused(end.wallMillis() == null ? 0 : end.wallMillis()));
    }
  }

  /**
   * Returns the timing of a successful run; empty if its duration is unknown, or which tasks shared
   * its devices, and of a training that has told its epochs.
   */
  private Optional<PairSpeeds.Run> run(PlacedTask task, TaskEnd end, long now) {
    if (end.wallMillis() == null || task.epochsDone() > 0) { // epochs tell more, however many
      return Optional.empty();
    }
    String devices = offers.models(task.place().node(), task.place().devices());
    Optional<PairSpeeds.Run> run =
        table.needs(task).gpuShare().isMeasured()
            ? Optional.of(PairSpeeds.Run.alone(devices, end.wallMillis()))
            : coLocation.of(task.id(), now).flatMap(times -> times.run(devices, end.wallMillis()));
    boolean lease =
        table.spec(task).tasks().get(task.id().index()) instanceof LeasedProgramWorkload;
    return lease ? run.map(one -> one.believedAfter(LEASES_ALONE)) : run;
  }

  private void learn(Profile before, Profile after) {
    if (after.equals(before)) {
      return;
    }
    boolean same =
        before.isKnown() == after.isKnown()
            && (!after.isKnown() || before.reservation() == after.reservation())
            && Objects.equals(before.utilPercent(), after.utilPercent());
    if (same) {
      profiles.put(after);
    } else {
      table.learn(after.type(), () -> profiles.put(after));
    }
  }

  /**
   * Returns the memory to retry a task with that ran out of memory.
   *
   * @return empty if it did not run out of memory, belongs to a gang, is never to run again, or has
   *     not stated how much it needs, or if no node could ever give it more
   */
  Optional<MemoryFloor> more(PlacedTask task, TaskEnd end) {
    JobTerms terms = table.spec(task).terms();
    if (end.outOf() == null || terms.startsTogether() || terms.neverAgain()) {
      return Optional.empty();
    }
    return switch (end.outOf()) {
      case GPU -> moreOfGpu(task).map(task.floor()::withGpuMemory);
      case HOST -> moreOfHost(task).map(task.floor()::withMemory);
    };
  }

  private Optional<Long> moreOfHost(PlacedTask task) {
    ResourceRequest needs = table.needs(task);
    long more = Math.min(offers.largestMemory(needs), (long) (needs.memory() * GROWTH));
    boolean canBe =
        more > needs.memory()
            && FitCheck.everRefused(offers.last(), needs.withMemory(more)).isEmpty();
    return canBe ? Optional.of(more) : Optional.empty();
  }

  private Optional<Long> moreOfGpu(PlacedTask task) {
    ResourceRequest needs = table.needs(task);
    long more = moreBytes(task, needs);
    if (more <= Math.max(1, needs.gpuShare().promisedBytes())
        || !FitCheck.everRefused(offers.last(), needs.withGpuMemory(more)).isEmpty()) {
      return Optional.empty();
    }
    TaskNeeds.type(table.spec(task))
        .map(type -> profiles.of(type).orElse(Profile.unknown(type)))
        .ifPresent(before -> learn(before, before.tried(more)));
    return Optional.of(more);
  }

  /** Returns what to try next, in bytes of each device; 0 if its share cannot grow. */
  private long moreBytes(PlacedTask task, ResourceRequest needs) {
    if (needs.gpuShare().isMeasured()) {
      return offers.smallest(task.place().devices()) + 1;
    }
    long most = ResourceRequest.nearlyAll(offers.largestGpu(needs));
    return Math.min(most, (long) (needs.gpuShare().promisedBytes() * GROWTH));
  }
}
