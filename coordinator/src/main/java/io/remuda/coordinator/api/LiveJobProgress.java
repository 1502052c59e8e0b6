package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How far a live job is.
 *
 * @param counts number of tasks by state
 * @param reasons why its first waiting task waits, also while others run
 * @param uses what its running tasks have used so far, by index, as far as it is known
 * @param forecast whose turn it is and when it may start; null if no task of it waits for a place,
 *     if it may have no more places now, or if it is too far behind
 * @param nodes names of the nodes where its tasks are; of a job that has ended, where its last ones
 *     were
 * @param signal that ended the only task of a job that has ended; null for none, and for arrays
 * @param ranMillis how long it has run since its first task began, 0 or more, by clocks that nobody
 *     sets; of an ended job only if it had one task, with one attempt. Null if that is not known
 */
public record LiveJobProgress(
    Map<TaskState, Integer> counts,
    List<WaitReason> reasons,
    Map<Integer, TaskUse> uses,
    JobForecast forecast,
    SortedSet<String> nodes,
    Integer signal,
    Long ranMillis) {

  /** Creates the view of a job that does not wait for a place, and has none. */
  public LiveJobProgress(
      Map<TaskState, Integer> counts, List<WaitReason> reasons, Map<Integer, TaskUse> uses) {
    this(counts, reasons, uses, null, new TreeSet<>(), null, null);
  }

  public LiveJobProgress {
    counts = Map.copyOf(counts);
    reasons = List.copyOf(reasons);
    uses = Map.copyOf(uses);
    nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
  }

  /** Creates the view of a job that has ended. */
  public static LiveJobProgress ended(
      Map<TaskState, Integer> counts, SortedSet<String> nodes, Integer signal, Long ranMillis) {
    return new LiveJobProgress(counts, List.of(), Map.of(), null, nodes, signal, ranMillis);
  }

  /** Creates the view of a job of whose use nothing is known. */
  public LiveJobProgress(Map<TaskState, Integer> counts, List<WaitReason> reasons) {
    this(counts, reasons, Map.of());
  }

  /**
   * Returns the most memory that one of its running tasks has had so far; null if that is not
   * known.
   *
   * @param task index of the only task that counts, or null for all
   */
  public Long peakBytes(Integer task) {
    return uses.entrySet().stream()
        .filter(use -> task == null || task.equals(use.getKey()))
        .map(use -> use.getValue().peakRssBytes())
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }
}
