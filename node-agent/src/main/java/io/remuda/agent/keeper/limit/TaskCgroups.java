package io.remuda.agent.keeper.limit;

import io.remuda.agent.keeper.proc.KeeperLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A control group of version 2 for each task that has requested memory, below a group that is
 * delegated to us: the root of a container, or one with systemd's {@code Delegate=yes}. The kernel
 * limits the memory of all processes of the task together, and kills them all at once.
 *
 * <p>A group whose child groups have limits must not hold processes itself, so the processes of
 * ours move to a child group. What a task forks before its first process has moved stays outside.
 */
public final class TaskCgroups {
  /** The group of the processes that belong to no task with a limit. */
  static final String OTHERS = "remuda";

  private static final String TASK = "remuda-task-";
  private static final String PROCESSES = "cgroup.procs";
  private static final int WEIGHT_OF_A_CPU = 100;
  private static final int MOST_WEIGHT = 10_000;

  private final Path base;

  private TaskCgroups(Path base) {
    this.base = base;
  }

  /**
   * Sets up the groups below the group of this process.
   *
   * @throws IOException with the reason if there can be none
   */
  public static TaskCgroups here() throws IOException {
    String path = ownPath(Files.readAllLines(Path.of("/proc/self/cgroup")));
    Path own = own(path, Files.readAllLines(Path.of("/proc/self/mountinfo")));
    Path base = own.endsWith(OTHERS) ? own.getParent() : own; // moved there by an earlier keeper
    if (!isGiven(path, base)) {
      throw new IOException(base + " is not delegated");
    }
    return in(base);
  }

  static String ownPath(List<String> lines) throws IOException {
    for (String line : lines) {
      if (line.startsWith("0::")) {
        return line.substring(3);
      }
    }
    throw new IOException("no control groups of version 2");
  }

  /** Returns the folder of a group. */
  static Path own(String path, List<String> mounts) throws IOException {
    for (String mount : mounts) {
      String[] fields = mount.split(" ");
      if (mount.contains(" - cgroup2 ") && fields.length > 4) {
        String root = fields[3].equals("/") ? "" : fields[3];
        String below = path.startsWith(root) ? path.substring(root.length()) : path;
        return Path.of(fields[4] + below).normalize();
      }
    }
    throw new IOException("control groups of version 2 are not mounted");
  }

  private static boolean isGiven(String path, Path base) {
    if (path.equals("/") || path.equals("/" + OTHERS)) {
      return Files.exists(base.resolve("memory.max")); // the machine's own root has none
    }
    try {
      return new String((byte[]) Files.getAttribute(base, "user:delegate"), StandardCharsets.UTF_8)
          .equals("1");
    } catch (IOException | RuntimeException notSaid) {
      return false;
    }
  }

  /**
   * Sets up the groups below a group that is ours.
   *
   * @throws IOException with the reason if there can be none
   */
  static TaskCgroups in(Path base) throws IOException {
    if (!List.of(read(base, "cgroup.controllers").split("\\s+")).contains("memory")) {
      throw new IOException(base + " cannot limit memory");
    }
    Path others = base.resolve(OTHERS);
    Files.createDirectories(others);
    for (String pid : read(base, PROCESSES).split("\\s+")) {
      if (!pid.isEmpty()) {
        write(others, PROCESSES, pid);
      }
    }
    write(base, "cgroup.subtree_control", "+memory");
    writeIfPossible(base, "cgroup.subtree_control", "+cpu");
    removeLeft(base);
    return new TaskCgroups(base);
  }

  /** Removes empty groups of a killed keeper; those with processes are another's and stay. */
  private static void removeLeft(Path base) {
    String[] names = base.toFile().list((folder, name) -> name.startsWith(TASK));
    for (String name : names == null ? new String[0] : names) {
      base.resolve(name).toFile().delete();
    }
  }

  private static String read(Path group, String file) throws IOException {
    return Files.readString(group.resolve(file)).trim();
  }

  private static void write(Path group, String file, String value) throws IOException {
    Files.writeString(group.resolve(file), value);
  }

  private static void writeIfPossible(Path group, String file, String value) {
    try {
      write(group, file, value);
    } catch (IOException withoutIt) {
      return; // only the memory limit is required
    }
  }

  private Path group(String key) {
    return base.resolve(name(key));
  }

  /** Returns the name of the group of a task. */
  public static String name(String key) {
    return TASK + key.replaceAll("[^A-Za-z0-9.]", "-");
  }

  /**
   * Moves a process that was just started into a group of its own.
   *
   * @throws IOException if that fails; the process then stays where it was
   */
  public void put(int pid, String key, TaskLimits limits) throws IOException {
    Path group = group(key);
    Files.createDirectories(group);
    try {
      write(group, "memory.max", Long.toString(limits.memoryBytes()));
      writeIfPossible(group, "memory.oom.group", "1");
      long weight = Math.round(limits.cpus() * WEIGHT_OF_A_CPU);
      writeIfPossible(group, "cpu.weight", "" + Math.max(1, Math.min(MOST_WEIGHT, weight)));
      write(group, PROCESSES, Integer.toString(pid));
    } catch (IOException fault) {
      remove(group);
      throw fault;
    }
  }

  /** Removes the group of a task that is gone; true if the kernel killed it for its memory. */
  public boolean remove(String key) {
    boolean killed = false;
    try {
      for (String line : read(group(key), "memory.events").split("\n")) {
        killed |= line.startsWith("oom_kill ") && !line.equals("oom_kill 0");
      }
    } catch (IOException unreadable) {
      KeeperLog.line("keeper: " + unreadable);
    }
    remove(group(key));
    return killed;
  }

  private static void remove(Path group) {
    try {
      Files.delete(group);
    } catch (IOException stays) {
      KeeperLog.line("keeper: a control group stays: " + stays);
    }
  }
}
