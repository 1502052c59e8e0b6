package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.limit.LimitNote;
import io.remuda.agent.keeper.limit.TaskCgroups;
import io.remuda.agent.keeper.limit.TaskLimits;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.TaskMark;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Enforces the memory that tasks have requested: by control groups where they can be used, else by
 * a check every second. Tasks without a request are not limited. Any thread.
 */
final class MemoryLimits {
  /** Null where control groups cannot be used. */
  private final TaskCgroups groups;

  private final MemoryWatch watch;

  /** The limits of tasks with a group of their own, by key. */
  private final Map<String, TaskLimits> grouped = new ConcurrentHashMap<>();

  private MemoryLimits(TaskCgroups groups, MemoryWatch watch) {
    this.groups = groups;
    this.watch = watch;
  }

  /** Chooses what is possible here and logs it. */
  static MemoryLimits here(MemoryWatch watch) {
    try {
      TaskCgroups groups = TaskCgroups.here();
      KeeperLog.line("keeper: the --mem of tasks is enforced by control groups");
      return new MemoryLimits(groups, watch);
    } catch (IOException | RuntimeException none) {
      KeeperLog.line(
          "keeper: tasks are checked once a second for their --mem: " + none.getMessage());
      return new MemoryLimits(null, watch);
    }
  }

  /** Limits a task; must be the first call after its process was started. */
  void started(TaskMark mark, SpawnRequest request) {
    TaskLimits limits = TaskLimits.of(request);
    if (limits.memoryBytes() == 0) {
      return;
    }
    if (groups != null && !ContainerEngineProcesses.hasOwnGroup(request)) {
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

  /** Ends the limit of a task whose tree is gone; called before its exit is written. */
  void ended(SpawnRequest request) {
    watch.remove(request.key());
    TaskLimits limits = grouped.remove(request.key());
    if (limits != null && groups.remove(request.key())) {
      LimitNote.write(
          request.taskFolder(), "killed by the kernel: more than its --mem of " + limits.memory());
    }
  }
}
