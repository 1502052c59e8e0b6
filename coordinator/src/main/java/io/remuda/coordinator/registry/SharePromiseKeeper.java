package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.SharePromises;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PreemptionTerms;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Keeps what tasks were promised of their speed beside others ({@code --share-if}): separates two
 * tasks once an epoch has shown that it is broken, and tells the scheduler what is known.
 * Single-threaded.
 */
final class SharePromiseKeeper {

  private final TaskTable table;
  private final Profiles profiles;

  SharePromiseKeeper(TaskTable table, Profiles profiles) {
    this.table = table;
    this.profiles = profiles;
  }

  /** Returns what is promised to the running tasks, and the speeds of the types concerned. */
  SharePromises now(Set<TaskClass.SchedulingKey> waiting) {
    Set<JobId> jobs = table.of(IndexedJobProperty.SHARE_PROMISE);
    if (jobs.isEmpty()) {
      return SharePromises.NONE;
    }
    Map<JobType, Integer> promised = new HashMap<>();
    Set<JobType> types = new HashSet<>();
    for (JobId job : jobs) {
      JobType type = TaskNeeds.type(table.job(job).spec()).orElse(null);
      int promise = table.job(job).spec().request().shareIf();
      boolean runs = type != null && runs(job);
      if (runs) {
        if (!Qos.fillsHoles(table.job(job).spec().terms().rank())) { // it keeps nobody off
          promised.merge(type, promise, Math::max);
        }
        types.add(type);
      }
    }
    waiting.stream().map(TaskClass.SchedulingKey::type).forEach(types::add);
    types.remove(null);
    Map<JobType, Map<JobType, Integer>> speeds = new HashMap<>();
    types.forEach(type -> add(speeds, type));
    List.copyOf(speeds.values()).stream()
        .flatMap(others -> others.keySet().stream())
        .forEach(type -> add(speeds, type));
    return new SharePromises(speeds, promised);
  }

  private boolean runs(JobId job) {
    for (TaskRecord task = table.job(job).nextLive(0);
        task != null;
        task = table.job(job).nextLive(task.id().index() + 1)) {
      if (task instanceof PlacedTask) {
        return true;
      }
    }
    return false;
  }

  private void add(Map<JobType, Map<JobType, Integer>> speeds, JobType type) {
    profiles
        .of(type)
        .map(profile -> profile.speeds().besideAll())
        .filter(others -> !others.isEmpty())
        .ifPresent(others -> speeds.put(type, others));
  }

  /**
   * Has the one of two tasks that is of lower rank, or else came later, leave its place at the end
   * of its epoch, if the epoch that {@code task} has told shows that a promise is broken, and if it
   * may be asked to leave.
   */
  List<TaskChange> epochDone(PlacedTask task, PlacedTaskEviction leaving, long now) {
    if (table.of(IndexedJobProperty.SHARE_PROMISE).isEmpty()) {
      return List.of();
    }
    for (PlacedTask other : table.at(task.place().node())) {
      boolean beside =
          !other.id().equals(task.id())
              && !Collections.disjoint(other.place().devices(), task.place().devices());
      Optional<String> broken = beside ? broken(task, other) : Optional.empty();
      PlacedTask lower = isBelow(other, task) ? other : task;
      if (broken.isPresent() && mayLeave(lower)) {
        return leaving.preempt(lower.id(), broken.get(), now);
      }
    }
    return List.of();
  }

  /** Returns whether it is of lower rank than another task; of the same rank, if it came later. */
  private boolean isBelow(PlacedTask one, PlacedTask other) {
    int rank = Integer.compare(rank(one), rank(other));
    return rank < 0 || rank == 0 && one.place().slot() > other.place().slot();
  }

  private int rank(PlacedTask task) {
    return table.spec(task).terms().rank();
  }

  private Optional<String> broken(PlacedTask one, PlacedTask other) {
    return brokenTo(one, other).or(() -> brokenTo(other, one));
  }

  private Optional<String> brokenTo(PlacedTask one, PlacedTask other) {
    int promise = table.needs(one).shareIf();
    Optional<JobType> type = TaskNeeds.type(table.spec(one));
    Optional<JobType> beside = TaskNeeds.type(table.spec(other));
    OptionalInt speed =
        promise == 0 || type.isEmpty() || beside.isEmpty()
            ? OptionalInt.empty()
            : profiles
                .of(type.get())
                .map(Profile::speeds)
                .map(speeds -> speeds.speedBeside(beside.get()))
                .orElse(OptionalInt.empty());
    return speed.isPresent() && speed.getAsInt() < promise
        ? Optional.of(
            "job "
                + one.id().job()
                + " has "
                + speed.getAsInt()
                + " % of its speed alone beside job "
                + other.id().job()
                + ", promised were "
                + promise
                + " %")
        : Optional.empty();
  }

  /** Returns whether it is a training that goes on from a snapshot and may be asked to leave. */
  private boolean mayLeave(PlacedTask task) {
    PreemptionTerms terms = table.spec(task).terms().preemption();
    return terms != null
        && table.spec(task).terms().training() != null
        && task.state() == TaskState.RUNNING
        && task.progress().silentSince() == 0
        && task.progress().savedAt() != 0
        && task.preemptions() < terms.most();
  }
}
