package io.remuda.agent.keeper;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds tasks to the memory that they have stated: by control groups where there may be some, else
 * by a look every second. Tasks that have stated none are left alone. Any thread.
 */
final class MemoryLimits {
  /** Null where there are none. */
  private final TaskGroups groups;

  private final MemoryWatch watch;

  /** Tasks with a group of their own. */
  private final Map<String, TaskLimits> grouped = new ConcurrentHashMap<>();

  private MemoryLimits(TaskGroups groups, MemoryWatch watch) {
    this.groups = groups;
    this.watch = watch;
  }

  /** As it can be done here, which is said in the log. */
  static MemoryLimits here(MemoryWatch watch) {
    try {
      TaskGroups groups = TaskGroups.here();
      KeeperLog.line("keeper: tasks are held to their --mem by control groups");
      return new MemoryLimits(groups, watch);
    } catch (IOException | RuntimeException none) {
      KeeperLog.line(
          "keeper: tasks are looked at once a second for their --mem: " + none.getMessage());
      return new MemoryLimits(null, watch);
    }
  }

  /** Before anything else is done about a task that was just started. */
  void started(TaskMark mark, SpawnRequest request) {
    TaskLimits limits = TaskLimits.of(request.environment());
    if (limits.memoryBytes() == 0) {
      return;
    }
    if (groups != null) {
      try {
        groups.put(mark.leader(), mark.key(), limits);
        grouped.put(mark.key(), limits);
        return;
      } catch (IOException fault) {
        KeeperLog.line("keeper: no control group for " + mark.key() + ": " + fault);
      }
    }
    watch.add(mark, limits, request);
  }

  /** The tree of a task is gone; its exit is not written yet. */
  void ended(SpawnRequest request) {
    watch.remove(request.key());
    TaskLimits limits = grouped.remove(request.key());
    if (limits != null && groups.remove(request.key())) {
      LimitNote.write(
          request.taskFolder(), "killed by the kernel: more than its --mem of " + limits.memory());
    }
  }
}
