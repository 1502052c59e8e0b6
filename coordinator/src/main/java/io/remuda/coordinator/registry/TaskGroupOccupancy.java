package io.remuda.coordinator.registry;

import io.remuda.coordinator.registry.policy.UserLimitTracker;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskPages;
import io.remuda.coordinator.schedule.model.ThrottledTaskGroup;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The groups of tasks of which only some run at once, or which need something else than the other
 * tasks of their job, and how many tasks of each have a place. Single-threaded.
 */
final class TaskGroupOccupancy {

  private final Map<ThrottledTaskGroup, Integer> placed = new HashMap<>();
  private final UserLimitTracker use = new UserLimitTracker();

  /** Returns what the tasks of each user have. */
  UserLimitTracker use() {
    return use;
  }

  /** Returns the group of a task; null if its job has none. */
  ThrottledTaskGroup of(JobSpec job, int task) {
    JobTerms terms = job.terms();
    if (terms.maxRunning() > 0) {
      return new ThrottledTaskGroup(job.id(), 0, terms.maxRunning());
    }
    if (!hasRoles(terms)) {
      return null;
    }
    GangTerms.Part part = terms.gang().limited(task);
    return new ThrottledTaskGroup(job.id(), part.from(), part.role().parallelism());
  }

  /** Returns whether a job has roles whose tasks are placed one by one. */
  private static boolean hasRoles(JobTerms terms) {
    return terms.gang() != null && !terms.gang().together() && !terms.gang().roles().isEmpty();
  }

  /** Returns the index of the first task of each group; 0 for a job without. */
  List<Integer> firstTasks(JobSpec job) {
    if (!hasRoles(job.terms())) {
      return List.of(0);
    }
    List<Integer> first = new ArrayList<>();
    int task = 0;
    while (task < job.tasks().size()) {
      first.add(task);
      task = job.terms().gang().limited(task).to();
    }
    return first;
  }

  /** Passes the parts of a range of tasks that belong to one group each. */
  void split(JobSpec job, int from, int to, TaskPages.Ranges ranges) {
    if (!hasRoles(job.terms())) {
      ranges.range(from, to);
      return;
    }
    int first = from;
    while (first < to) {
      int end = Math.min(to, job.terms().gang().limited(first).to());
      ranges.range(first, end);
      first = end;
    }
  }

  /** A task of this job has a place now. */
  void entered(JobSpec job, PlacedTask task) {
    int index = task.id().index();
    Place place = task.place();
    String account = Qos.account(job.terms().rank(), job.user());
    if (account != null) {
      use.entered(account, place.slot(), place.devices().size(), job.request(index).milliCpus());
    }
    ThrottledTaskGroup group = of(job, index);
    if (group != null) {
      placed.merge(group, 1, Integer::sum);
    }
  }

  /** A task of this job has left its place. */
  void left(JobSpec job, PlacedTask task) {
    use.left(task.place().slot());
    ThrottledTaskGroup group = of(job, task.id().index());
    if (group != null) {
      placed.computeIfPresent(group, (key, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Returns how many more tasks of a group may have a place; null stands for no group. */
  int allowed(ThrottledTaskGroup group) {
    return group == null || group.most() == 0
        ? Integer.MAX_VALUE
        : group.most() - placed.getOrDefault(group, 0);
  }
}
