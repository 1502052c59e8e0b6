package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.ContainerInitSigtermCheck;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Tells the processes of a container's engine from those of the user's command. Both belong to the
 * task: both must be gone before it has ended. But the memory of an engine is not the command's,
 * and an engine that passes on what it gets would ask the command to end a second time.
 */
public final class ContainerEngineProcesses {

  /** Engines that put their containers into control groups of their own. */
  private static final Set<String> OWN_GROUPS = Set.of("podman", "docker");

  /** The names of their programs, as {@code /proc/PID/comm} cuts them. */
  private static final Set<String> NAMES =
      Set.of(
          "podman",
          "podman-init",
          "conmon",
          "catatonit",
          "runc",
          "crun",
          "slirp4netns",
          "pasta",
          "fuse-overlayfs",
          "docker",
          "docker-init",
          "bwrap",
          "apptainer",
          "starter",
          "starter-suid");

  private ContainerEngineProcesses() {}

  static boolean hasOwnGroup(SpawnRequest request) {
    return OWN_GROUPS.contains(engine(request));
  }

  /**
   * Returns the processes of the command; all of them for a task without a container.
   *
   * @param request of the task, or null if it has ended
   */
  static List<ProcStat> without(SpawnRequest request, List<ProcStat> members) {
    return without(engine(request), members);
  }

  private static List<ProcStat> without(String engine, List<ProcStat> members) {
    if (engine.isEmpty()) {
      return members;
    }
    List<ProcStat> others = new ArrayList<>(members.size());
    for (ProcStat member : members) {
      if (!NAMES.contains(ProcFiles.command(member.pid()))) {
        others.add(member);
      }
    }
    return others;
  }

  /**
   * Returns the processes that get SIGTERM when all are asked to end: those of the command, and the
   * engine if there are none here, as for Docker or while a container is made.
   */
  static List<ProcStat> asked(SpawnRequest request, List<ProcStat> members) {
    return asked(engine(request), members);
  }

  /**
   * As {@link #asked(SpawnRequest, List)}.
   *
   * @param engine name of the container's engine; empty without a container
   */
  public static List<ProcStat> asked(String engine, List<ProcStat> members) {
    List<ProcStat> others = without(engine, members);
    return others.isEmpty() ? members : others;
  }

  /**
   * Returns what ends a process as SIGTERM would end it without a container. The first process of a
   * container is killed if SIGTERM does nothing to it and nobody else is there who could save.
   *
   * @param asked all processes that are asked to end
   */
  static int terminationSignal(SpawnRequest request, ProcStat member, List<ProcStat> asked) {
    return asked.size() == 1
            && !engine(request).isEmpty()
            && ContainerInitSigtermCheck.dropsSigterm(member.pid())
        ? Posix.SIGKILL
        : Posix.SIGTERM;
  }

  /**
   * Returns the process that counts as the first one of a task: in a container its oldest, or the
   * engine if none is here, which passes signals on. None if the first process has ended.
   *
   * @param members live processes of the task
   */
  static List<ProcStat> first(SpawnRequest request, TaskMark mark, List<ProcStat> members) {
    return first(engine(request), mark.leader(), members);
  }

  /**
   * As {@link #first(SpawnRequest, TaskMark, List)}.
   *
   * @param engine name of the container's engine; empty without a container
   * @param leader pid of the task's first process
   */
  public static List<ProcStat> first(String engine, int leader, List<ProcStat> members) {
    List<ProcStat> first = members.stream().filter(one -> one.pid() == leader).toList();
    if (engine.isEmpty() || first.isEmpty()) {
      return first;
    }
    return without(engine, members).stream()
        .min(Comparator.comparingLong(ProcStat::startTicks).thenComparingInt(ProcStat::pid))
        .map(List::of)
        .orElse(first);
  }

  private static String engine(SpawnRequest request) {
    String engine = request == null ? null : request.variable(SpawnRequest.CONTAINER);
    return engine == null ? "" : engine;
  }
}
