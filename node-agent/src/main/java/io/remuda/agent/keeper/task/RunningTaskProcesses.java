package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The processes of a running task as a process other than its keeper sees them.
 *
 * @param command those of the user's command; those of a container's engine if no other is here
 * @param first of them: what counts as the task's first process
 */
public record RunningTaskProcesses(List<ProcStat> command, List<ProcStat> first) {

  /**
   * Looks at a task.
   *
   * @param leader its first process
   */
  public static RunningTaskProcesses of(ProcStat leader) {
    byte[] environment = ProcFiles.environment(leader.pid());
    String engine = variable(environment, SpawnRequest.CONTAINER);
    List<ProcStat> members = members(leader, environment);
    return new RunningTaskProcesses(
        ContainerEngineProcesses.asked(engine, members),
        ContainerEngineProcesses.first(engine, leader.pid(), members));
  }

  private static String variable(byte[] environment, String name) {
    String value = environment == null ? null : ProcFiles.variable(environment, name);
    return value == null ? "" : value;
  }

  private static List<ProcStat> members(ProcStat leader, byte[] environment) {
    String key = variable(environment, TaskMark.KEY);
    String keeper = variable(environment, TaskMark.KEEPER);
    TaskMark mark = new TaskMark(key, leader.pid(), leader.startTicks());
    TaskProcessFinder finder =
        new TaskProcessFinder(leader.parent(), pid -> TaskMark.keyOf(pid, keeper), () -> 0);
    return finder.find(List.of(mark), others(leader, key, keeper)).of(key);
  }

  /** Returns the first processes of other tasks. */
  private static Set<Integer> others(ProcStat leader, String key, String keeper) {
    Set<Integer> others = new HashSet<>();
    List<Integer> children = ProcFiles.children(leader.parent());
    for (int child : children == null ? List.<Integer>of() : children) {
      ProcStat stat = child == leader.pid() ? null : ProcFiles.stat(child);
      boolean leads = stat != null && stat.session() == child;
      if (leads && !key.equals(TaskMark.keyOf(child, keeper))) {
        others.add(child);
      }
    }
    return others;
  }
}
