package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.model.SlotRelease;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the slots of a node give back, and when: by what tasks of the same type took, and by time
 * limits; scavengers leave for whoever waits. Nobody knows it of a task that has not begun, unless
 * it follows another one in its slot, and of one whose node is silent.
 */
final class SlotReleases {

  private static final long NANOS_OF_MILLI = 1_000_000;

  private SlotReleases() {}

  /**
   * Returns one for each slot.
   *
   * @param tasks of the node
   */
  static List<SlotRelease> of(List<PlacedTask> tasks, TaskTable table) {
    Map<Long, List<PlacedTask>> bySlot = new LinkedHashMap<>();
    for (PlacedTask task : tasks) {
      bySlot.computeIfAbsent(task.place().slot(), slot -> new ArrayList<>(1)).add(task);
    }
    return bySlot.values().stream().map(slot -> of(slot.get(0), slot, table)).toList();
  }

  private static SlotRelease of(PlacedTask first, List<PlacedTask> slot, TaskTable table) {
    ResourceRequest needs = table.needs(first);
    long since = since(slot);
    long likely = since == 0 ? 0 : sum(slot, table, SlotReleases::likelyMillis) * NANOS_OF_MILLI;
    long limit = since == 0 ? 0 : sum(slot, table, SlotReleases::limitMillis) * NANOS_OF_MILLI;
    return new SlotRelease(
        since,
        likely,
        limit == 0 ? OptionalLong.empty() : OptionalLong.of(since + limit),
        needs.milliCpus(),
        needs.memory(),
        first.place().devices(),
        leavesIn(slot, table));
  }

  private static OptionalLong leavesIn(List<PlacedTask> slot, TaskTable table) {
    long longest = 0;
    for (PlacedTask task : slot) {
      if (!leavesAtOnce(task, table)) {
        return OptionalLong.empty();
      }
      longest = Math.max(longest, VictimCandidates.leaveMillis(task, table));
    }
    return OptionalLong.of(longest * NANOS_OF_MILLI);
  }

  private static boolean leavesAtOnce(PlacedTask task, TaskTable table) {
    boolean scavenger = table.spec(task).terms().qos() == Qos.SCAVENGER;
    return scavenger && task.state() != TaskState.UNKNOWN && !task.isStuck();
  }

  /** Returns when the one that runs has begun; 0 if none does. */
  private static long since(List<PlacedTask> slot) {
    for (PlacedTask task : slot) {
      if (task.state() != TaskState.UNKNOWN && task.progress().runningSince() != 0) {
        return task.progress().runningSince();
      }
    }
    return 0;
  }

  private interface Length {
    /** Returns milliseconds, or 0 if they are not known. */
    long of(PlacedTask task, TaskTable table);
  }

  private static long sum(List<PlacedTask> slot, TaskTable table, Length length) {
    long sum = 0;
    for (PlacedTask task : slot) {
      long one = length.of(task, table);
      if (one == 0) {
        return 0;
      }
      sum += one;
    }
    return sum;
  }

  private static long limitMillis(PlacedTask task, TaskTable table) {
    return table.spec(task).terms().timeLimitMillis();
  }

  private static long likelyMillis(PlacedTask task, TaskTable table) {
    long limit = limitMillis(task, table);
    long usual = table.usualMillis(task);
    return usual == 0 || limit == 0 ? usual : Math.min(usual, limit);
  }
}
