package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * Finds the live processes of tasks below one root process. The root is the subreaper of them all,
 * so a process that double-forks or calls setsid is still below it.
 *
 * <p>A process belongs to a task if it is the leader, or of the leader's session, or below a
 * process of the task, or carries a mark of the task, see {@link DetachedProcessTaskLookup}. The
 * mark is read only if the other signs are missing, that is, for orphans with a session of their
 * own.
 *
 * <p>Trees of other tasks are skipped at their leaders. One walk is not atomic: a task is gone only
 * if two walks in a row find nothing.
 */
final class TaskProcessFinder {
  private final int root;
  private final IntFunction<String> owners;
  private final IntSupplier guardian;

  /**
   * @param owners returns the key of a process's task, as {@link DetachedProcessTaskLookup} does
   * @param guardian pid of a child of the root that belongs to no task, or 0
   */
  TaskProcessFinder(int root, IntFunction<String> owners, IntSupplier guardian) {
    this.root = root;
    this.owners = owners;
    this.guardian = guardian;
  }

  /**
   * The result of one walk.
   *
   * @param byKey the live processes of each wanted task; a task without any is absent
   * @param unclaimed live processes below the root without a sign of any task
   * @param late live processes with the sign of a task that has ended
   */
  record Found(Map<String, List<ProcStat>> byKey, List<ProcStat> unclaimed, List<ProcStat> late) {
    List<ProcStat> of(String key) {
      return byKey.getOrDefault(key, List.of());
    }
  }

  /**
   * Finds the processes of {@code wanted}.
   *
   * @param others leaders of tasks that are not wanted, by pid
   */
  Found find(Collection<TaskMark> wanted, Set<Integer> others) {
    List<ProcStat> below = new ArrayList<>();
    Set<Integer> seen = new HashSet<>(Set.of(guardian.getAsInt()));
    if (!walk(root, others, below, seen)) {
      below = belowBySearch(others);
    }
    return sort(wanted, below);
  }

  /** Assigns processes, parents before their children, to tasks. */
  Found sort(Collection<TaskMark> wanted, List<ProcStat> parentsFirst) {
    Map<Integer, TaskMark> bySession = new HashMap<>();
    Map<String, TaskMark> byKey = new HashMap<>();
    for (TaskMark mark : wanted) {
      bySession.put(mark.leader(), mark);
      byKey.put(mark.key(), mark);
    }
    for (ProcStat process : parentsFirst) {
      TaskMark mark = bySession.get(process.pid());
      if (mark != null && mark.startTicks() != process.startTicks()) {
        bySession.remove(process.pid()); // the pid was reused, and so was the session number
      }
    }
    Map<Integer, TaskMark> owners = new HashMap<>();
    Found found = new Found(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
    for (ProcStat process : parentsFirst) {
      TaskMark owner = bySession.get(process.session());
      owner = owner != null ? owner : owners.get(process.parent());
      if (owner == null && !process.dead()) {
        String key = this.owners.apply(process.pid());
        owner = key == null ? null : byKey.get(key);
        if (key == null) {
          found.unclaimed().add(process);
        } else if (key.equals(DetachedProcessTaskLookup.ENDED)) {
          found.late().add(process);
        }
      }
      if (owner != null) {
        owners.put(process.pid(), owner);
        if (!process.dead()) {
          found.byKey().computeIfAbsent(owner.key(), k -> new ArrayList<>()).add(process);
        }
      }
    }
    return found;
  }

  private static boolean walk(
      int parent, Set<Integer> others, List<ProcStat> below, Set<Integer> seen) {
    List<Integer> children = ProcFiles.children(parent);
    if (children == null) {
      return false;
    }
    for (int child : children) {
      if (others.contains(child) || !seen.add(child)) {
        continue;
      }
      ProcStat stat = ProcFiles.stat(child);
      if (stat == null && ProcFiles.exists(child)) {
        return false; // it cannot be read
      }
      if (stat != null) {
        below.add(stat);
        if (!walk(child, others, below, seen)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Reads all of /proc, for kernels without /proc/PID/task/TID/children. */
  private List<ProcStat> belowBySearch(Set<Integer> others) {
    Map<Integer, List<ProcStat>> children = new HashMap<>();
    for (ProcStat stat : ProcFiles.all()) {
      children.computeIfAbsent(stat.parent(), p -> new ArrayList<>()).add(stat);
    }
    List<ProcStat> below = new ArrayList<>(children.getOrDefault(root, List.of()));
    below.removeIf(stat -> others.contains(stat.pid()) || stat.pid() == guardian.getAsInt());
    for (int i = 0; i < below.size(); i++) {
      below.addAll(children.getOrDefault(below.get(i).pid(), List.of()));
    }
    return below;
  }
}
