package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import java.util.Optional;
import java.util.OptionalLong;

/** What the ends of tasks say of the memory that their types need of a GPU. One thread. */
final class Learning {

  /** What was too little is tried again with so many times as much. */
  private static final double GROWTH = 1.5;

  private final TaskTable table;
  private final Profiles profiles;
  private final OfferBook offers;

  Learning(TaskTable table, Profiles profiles, OfferBook offers) {
    this.table = table;
    this.profiles = profiles;
    this.offers = offers;
  }

  /** A task that had a place has ended by itself, or was ended. */
  void ended(TaskRecord task, TaskEnd end, boolean good) {
    Optional<JobType> type = TaskTable.type(table.spec(task));
    if (type.isEmpty() || end.gpu() == null || end.kind() != TaskEnd.Kind.BY_ITSELF) {
      return;
    }
    Profile before = profiles.of(type.get()).orElse(Profile.unknown(type.get()));
    long wall = end.wallMillis() == null ? before.wallMillis() : end.wallMillis();
    learn(
        before,
        good
            ? before.ran(end.gpu().peakBytes(), end.gpu().utilPercent(), wall)
            : before.failed(end.gpu().peakBytes()));
  }

  private void learn(Profile before, Profile after) {
    boolean same =
        before.isKnown() == after.isKnown()
            && (!after.isKnown() || before.reservation() == after.reservation());
    if (same) {
      profiles.put(after);
    } else {
      table.learn(after.type(), () -> profiles.put(after));
    }
  }

  /**
   * How many bytes of each device a task is to have that has failed for want of them.
   *
   * @return nothing if it did not, states no part of a device, or there is no larger device
   */
  OptionalLong more(TaskRecord task, TaskEnd end) {
    long had = table.needs(task).gpuMemory();
    if (end.outOf() != TaskEnd.Shortage.GPU || had == 0) {
      return OptionalLong.empty();
    }
    long largest = offers.largestGpu();
    boolean whole = table.needs(task).isAuto();
    long enough = whole ? offers.smallest(task.place().devices()) : had;
    if (enough >= largest) {
      return OptionalLong.empty();
    }
    long more = whole ? enough + 1 : Math.min(largest, (long) (had * GROWTH));
    TaskTable.type(table.spec(task))
        .map(type -> profiles.of(type).orElse(Profile.unknown(type)))
        .ifPresent(before -> learn(before, before.failed(more)));
    return OptionalLong.of(more);
  }
}
