package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.schedule.Fit;
import io.remuda.worker.job.ResourceRequest;
import java.util.Objects;
import java.util.Optional;

/** What the ends of tasks say of the memory that their types need of a GPU. One thread. */
final class Learning {

  /** What was too little is tried again with so many times as much. */
  private static final double GROWTH = 1.5;

  /**
   * A task is promised no more than this share of a device: of one that nobody has anything of a
   * few MiB are in use all the same.
   */
  private static final double WHOLE = 0.96;

  /** A shared device is looked at once a second: a shorter run says only that it used so much. */
  private static final long WELL_SEEN_MILLIS = 10_000;

  private final TaskTable table;
  private final Profiles profiles;
  private final OfferBook offers;

  Learning(TaskTable table, Profiles profiles, OfferBook offers) {
    this.table = table;
    this.profiles = profiles;
    this.offers = offers;
  }

  /** A task that had a place has ended by itself, or was ended. */
  void ended(TaskRecord task, TaskEnd end) {
    Optional<JobType> type = TaskTable.type(table.spec(task));
    long used = end.gpu() == null ? 0 : end.gpu().peakBytes();
    if (type.isEmpty() || used == 0 || end.kind() != TaskEnd.Kind.BY_ITSELF) {
      return; // what never used its GPU shows nothing
    }
    long size = offers.smallest(task.place().devices());
    long peak = size == 0 ? used : Math.min(used, Profile.peakFor((long) (size * WHOLE)));
    Profile before = profiles.of(type.get()).orElse(Profile.unknown(type.get()));
    long wall = end.wallMillis() == null ? before.wallMillis() : end.wallMillis();
    boolean wellSeen = table.needs(task).isAuto() || wall >= WELL_SEEN_MILLIS;
    if (!end.succeeded()) {
      learn(before, before.failed(peak));
    } else if (wellSeen || peak >= before.quantile(1)) {
      Profile explained = before.seenWith(task.floor().gpuMemory());
      learn(before, explained.ran(peak, end.gpu().utilPercent(), wall));
    }
  }

  private void learn(Profile before, Profile after) {
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
   * What a task is to have at least that has failed for want of memory.
   *
   * @return nothing if it did not, has not stated how much it needs, belongs to a gang, or if no
   *     node could ever give it more
   */
  Optional<Floor> more(TaskRecord task, TaskEnd end) {
    if (end.outOf() == null || table.spec(task).terms().gang()) {
      return Optional.empty();
    }
    return switch (end.outOf()) {
      case GPU -> moreOfGpu(task).map(task.floor()::withGpuMemory);
      case HOST -> moreOfHost(task).map(task.floor()::withMemory);
    };
  }

  private Optional<Long> moreOfHost(TaskRecord task) {
    ResourceRequest needs = table.needs(task);
    long more = Math.min(offers.largestMemory(needs), (long) (needs.memory() * GROWTH));
    boolean canBe =
        more > needs.memory()
            && Fit.everRefused(offers.last(), needs.withMemory(more), 1).isEmpty();
    return canBe ? Optional.of(more) : Optional.empty();
  }

  private Optional<Long> moreOfGpu(TaskRecord task) {
    ResourceRequest needs = table.needs(task);
    if (!needs.isAuto() && !needs.sharesGpus()) {
      return Optional.empty();
    }
    long most = (long) (offers.largestGpu(needs) * WHOLE);
    long more =
        needs.isAuto()
            ? offers.smallest(task.place().devices()) + 1
            : Math.min(most, (long) (needs.gpuMemory() * GROWTH));
    if (more <= Math.max(1, needs.gpuMemory())
        || !Fit.everRefused(offers.last(), needs.withGpuMemory(more), 1).isEmpty()) {
      return Optional.empty();
    }
    TaskTable.type(table.spec(task))
        .map(type -> profiles.of(type).orElse(Profile.unknown(type)))
        .ifPresent(before -> learn(before, before.tried(more)));
    return Optional.of(more);
  }
}
