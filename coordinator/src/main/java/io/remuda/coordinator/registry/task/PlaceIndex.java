package io.remuda.coordinator.registry.task;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.TaskId;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tasks with a place, by node and slot, and which of them measures its type. Single-threaded.
 */
public final class PlaceIndex {

  private final Map<String, NavigableSet<TaskId>> byNode = new HashMap<>();
  private final Map<Long, NavigableSet<TaskId>> bySlot = new HashMap<>();
  private final Map<JobType, NavigableSet<TaskId>> measuring = new HashMap<>();
  private final Map<String, Long> versions = new HashMap<>();

  /**
   * Adds a task; one on a silent node does not count as measuring its type.
   *
   * @param type the type that is measured on it if its place says so; empty if it has none
   * @param firstRun whether nothing is known of the type, so that it is measured in any case
   */
  public void entered(PlacedTask task, Optional<JobType> type, boolean firstRun) {
    Place place = task.place();
    add(byNode, place.node(), task.id());
    add(bySlot, place.slot(), task.id());
    versions.merge(place.node(), 1L, Long::sum);
    if ((firstRun || place.isMeasuring()) && task.state() != TaskState.UNKNOWN) {
      type.ifPresent(measured -> add(measuring, measured, task.id()));
    }
  }

  /** Removes a task, as it was added. */
  public void left(PlacedTask task, Optional<JobType> type) {
    Place place = task.place();
    remove(byNode, place.node(), task.id());
    remove(bySlot, place.slot(), task.id());
    versions.merge(place.node(), 1L, Long::sum);
    if (!measuring.isEmpty()) {
      type.ifPresent(measured -> remove(measuring, measured, task.id()));
    }
  }

  private static <K> void add(Map<K, NavigableSet<TaskId>> sets, K key, TaskId task) {
    sets.computeIfAbsent(key, any -> new TreeSet<>()).add(task);
  }

  private static <K> void remove(Map<K, NavigableSet<TaskId>> sets, K key, TaskId task) {
    NavigableSet<TaskId> set = sets.get(key);
    if (set != null) {
      set.remove(task);
      if (set.isEmpty()) {
        sets.remove(key);
      }
    }
  }

  /** Returns the nodes with tasks. */
  public Set<String> nodes() {
    return Collections.unmodifiableSet(byNode.keySet());
  }

  /** Returns the tasks of a node in the order of their submission. */
  public NavigableSet<TaskId> at(String node) {
    return byNode.getOrDefault(node, Collections.emptyNavigableSet());
  }

  /** Returns the tasks of a slot in the order of their submission. */
  public NavigableSet<TaskId> inSlot(long slot) {
    return bySlot.getOrDefault(slot, Collections.emptyNavigableSet());
  }

  /** Returns a number that grows with every change of {@link #at} for the node. */
  public long version(String node) {
    return versions.getOrDefault(node, 0L);
  }

  /** Returns the task that measures each type: the first one. */
  public Map<JobType, TaskId> measuring() {
    Map<JobType, TaskId> first = new HashMap<>();
    measuring.forEach((type, tasks) -> first.put(type, tasks.first()));
    return first;
  }
}
