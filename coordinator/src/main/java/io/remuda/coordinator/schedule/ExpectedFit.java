package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.SlotRelease;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/** When tasks will fit on a node, by what its slots give back one after the other. */
final class ExpectedFit {

  private record Due(long at, SlotRelease release) {}

  private ExpectedFit() {}

  /** Tasks that are to fit together: some that are kept for others, and then those of a job. */
  private record Wanted(List<ResourceRequest> tasks, int kept, Filter company) {
    private boolean fit(NodeOffer node) {
      RemainingNodeCapacity room = RemainingNodeCapacity.of(node);
      for (int i = 0; i < tasks.size(); i++) {
        ResourceRequest needs = tasks.get(i);
        if (FitCheck.refusal(room, needs).isPresent()
            || (i >= kept && company.refusal(room, needs).isPresent())) {
          return false;
        }
        room.take(needs, null, RemainingNodeCapacity.byIndex());
      }
      return true;
    }
  }

  /**
   * Returns when tasks with these needs fit there together; nobody knows if the plan has placed
   * others there, whose ends are not known yet.
   *
   * @param kept what is kept there for other jobs
   * @param own what the tasks of the job need
   * @param company beside whom these may be
   * @param now of the snapshot, in nanoseconds of the monotonic clock, as what is returned
   * @return empty if nobody knows
   */
  static OptionalLong at(
      RemainingNodeCapacity room,
      List<ResourceRequest> kept,
      List<ResourceRequest> own,
      Filter company,
      long now) {
    NodeOffer node = room.offer();
    boolean unchanged =
        !room.hasPlacements()
            && room.freeCpus() == node.cpus().free()
            && room.freeMemory() == node.memory().free();
    List<ResourceRequest> all = new ArrayList<>(kept);
    all.addAll(own);
    return unchanged ? at(node, new Wanted(all, kept.size(), company), now) : OptionalLong.empty();
  }

  private static OptionalLong at(NodeOffer node, Wanted wanted, long now) {
    List<ResourceRequest> tasks = wanted.tasks();
    long cpus = node.cpus().free() - tasks.stream().mapToLong(ResourceRequest::milliCpus).sum();
    long memory = node.memory().free() - tasks.stream().mapToLong(ResourceRequest::memory).sum();
    long gpus = lendable(node) - tasks.stream().mapToInt(ResourceRequest::gpus).max().orElse(0);
    if (cpus >= 0 && memory >= 0 && gpus >= 0 && wanted.fit(node)) {
      return OptionalLong.of(now);
    }
    List<Due> due = new ArrayList<>();
    for (SlotRelease release : node.releases()) {
      release.at(now).ifPresent(at -> due.add(new Due(at, release)));
    }
    due.sort(Comparator.comparingLong(one -> one.at() - now));
    List<SlotRelease> gone = new ArrayList<>();
    for (int i = 0; i < due.size(); i++) {
      SlotRelease release = due.get(i).release();
      gone.add(release);
      cpus += release.milliCpus();
      memory += release.memory();
      gpus += release.devices().size();
      boolean together = i + 1 < due.size() && due.get(i + 1).at() == due.get(i).at();
      boolean may = cpus >= 0 && memory >= 0 && gpus >= 0 && !together;
      if ((may || gone.size() == node.releases().size()) && wanted.fit(node.without(gone))) {
        return OptionalLong.of(due.get(i).at());
      }
    }
    return OptionalLong.empty();
  }

  /** Returns how many devices are given to tasks, if they have enough free. */
  private static long lendable(NodeOffer node) {
    return node.devices().stream()
        .map(DeviceOffer::standing)
        .filter(
            one ->
                one == DeviceOffer.Standing.FREE
                    || one == DeviceOffer.Standing.SHARED
                    || one == DeviceOffer.Standing.OCCUPIED)
        .count();
  }
}
