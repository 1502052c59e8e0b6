package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tries with the scheduler itself, on copies of the capacity, whether running trainings would start
 * at once with other numbers of GPUs if they left, each beside those that were tried before.
 */
public final class GpuCountChangeTrial {

  private final Snapshot snapshot;
  private final VictimSearch.Capacity capacity;
  private Set<Long> slots = Set.of();
  private List<TaskClass> again = List.of();

  /**
   * @param snapshot of the cycle; places that are claimed are for others
   * @param capacity without some slots
   */
  public GpuCountChangeTrial(Snapshot snapshot, VictimSearch.Capacity capacity) {
    this.snapshot = snapshot;
    this.capacity = capacity;
  }

  /**
   * Returns whether a training would start at once; if so, its place is taken in further trials.
   *
   * @param training as a class of one task, with the number of GPUs that it would ask for
   * @param slot that it would leave
   */
  public boolean startsAgain(TaskClass training, long slot) {
    Set<Long> gone = new HashSet<>(slots);
    gone.add(slot);
    List<TaskClass> all = new ArrayList<>(again);
    all.add(training);
    Set<TaskId> tasks = new HashSet<>();
    all.forEach(one -> tasks.addAll(one.tasks()));
    List<NodeOffer> offers = capacity.without(gone);
    Plan plan = Scheduler.plan(snapshot.afterLeaving(offers, tasks), all);
    boolean starts = plan.placements().size() == all.size();
    if (starts) {
      slots = gone;
      again = all;
    }
    return starts;
  }
}
