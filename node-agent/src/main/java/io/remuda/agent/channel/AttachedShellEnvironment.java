package io.remuda.agent.channel;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.CpuSet;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * What a shell beside a task has in common with the task's first process.
 *
 * @param environment with which that was started, Remuda's variables among it
 * @param folder in which it works now
 * @param umask its umask, 0 to 0777
 */
record AttachedShellEnvironment(Map<String, String> environment, String folder, int umask) {

  private static final int MOST_LOOKS = 5;
  private static final long PAUSE_NANOS = 20_000_000;

  /**
   * Reads it from the oldest process of the task.
   *
   * @param key of the task in its processes
   * @throws IOException if there is none, or it runs in a container; the message is for the user
   */
  static AttachedShellEnvironment find(String key) throws IOException {
    for (int look = 1; look < MOST_LOOKS; look++) {
      Optional<AttachedShellEnvironment> found = look(key);
      if (found.isPresent()) {
        return found.get();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return look(key).orElseThrow(() -> new IOException("no process of the task can be looked at"));
  }

  /** Looks once; a process that begins another program has no environment for a moment. */
  private static Optional<AttachedShellEnvironment> look(String key) throws IOException {
    Optional<Integer> oldest =
        ProcFiles.all().stream()
            .filter(process -> !process.dead() && isOf(process.pid(), key))
            .min(Comparator.comparingLong(ProcStat::startTicks).thenComparing(ProcStat::pid))
            .map(ProcStat::pid);
    if (oldest.isEmpty()) {
      return Optional.empty();
    }
    int pid = oldest.get();
    byte[] block = ProcFiles.environment(pid);
    int umask = ProcFiles.umask(pid);
    if (block == null || block.length == 0 || umask < 0) {
      return Optional.empty();
    }
    Map<String, String> environment = environment(block);
    if (environment.containsKey(SpawnRequest.CONTAINER)) {
      throw new IOException("the task runs in a container, where no shell can be started");
    }
    Path folder = Files.readSymbolicLink(Path.of("/proc", Integer.toString(pid), "cwd"));
    return Optional.of(new AttachedShellEnvironment(environment, folder.toString(), umask));
  }

  private static boolean isOf(int pid, String key) {
    byte[] environment = ProcFiles.environment(pid);
    return environment != null && key.equals(ProcFiles.variable(environment, TaskMark.KEY));
  }

  static Map<String, String> environment(byte[] block) {
    Map<String, String> all = new LinkedHashMap<>();
    for (String entry : new String(block, StandardCharsets.UTF_8).split("\0")) {
      int sign = entry.indexOf('=');
      if (sign > 0) {
        all.putIfAbsent(entry.substring(0, sign), entry.substring(sign + 1));
      }
    }
    return all;
  }

  /** Returns the mark of its keeper. */
  String keeper() {
    return environment.getOrDefault(TaskMark.KEEPER, "");
  }

  /** Returns the CPUs to which it is bound; none if it is not. */
  CpuSet cpus() {
    String cpus = environment.get(SpawnRequest.CPU_SET);
    return cpus == null ? CpuSet.NONE : CpuSet.parse(cpus);
  }

  /** Returns the user's shell, else the one that every machine has. */
  String shell() {
    String shell = environment.get("SHELL");
    boolean usable = shell != null && shell.startsWith("/") && Files.isExecutable(Path.of(shell));
    return usable ? shell : "/bin/sh";
  }
}
