package io.remuda.agent.keeper.sweep;

import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.limit.TaskCgroups;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.proc.OpenFiles;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.proc.Signaller;
import io.remuda.agent.keeper.proc.TaskMark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Kills what the tasks of lost keepers have left. A process belongs to a lost keeper by the mark in
 * its limits, which all descendants of a task have. Where there is no such mark, these count: the
 * keeper's record of first processes, the mark in the environment, the control group, an open
 * output file or device lock of a task, and a parent or session that belongs to a lost keeper.
 *
 * <p>Reads the whole of /proc, so it is only for the rare case that a keeper was lost. Spares live
 * keepers and the processes that their marks name. Several may run at the same time. Any thread.
 */
public final class OrphanSweep {
  private static final long ROUND_MILLIS = 20;
  private static final long LONGEST_MILLIS = 2000;

  /** Number of consecutive empty looks required, since one look at /proc is not atomic. */
  private static final int LOOKS = 2;

  /** The folder of the tasks without links, as the kernel names open files. */
  private final Path tasks;

  private final String runMark;
  private final List<LostKeeper> lost;

  /** Pid of the folder's live keeper, or 0. */
  private final int living;

  private final RlimitProcessMark.Mark own = RlimitProcessMark.of(Posix.getpid());

  /** Pids of this process, its ancestors and the folder's live keeper. */
  private final Set<Integer> ourselves = new HashSet<>();

  /**
   * The processes that could not be killed.
   *
   * @param killed number of processes that were sent SIGKILL
   * @param reasons by the keys of tasks, for the user: which process stays and what to do. An empty
   *     key is for a process of which only the keeper is known, so that it may belong to any task.
   */
  public record Remains(int killed, Map<String, String> reasons) {
    public Remains {
      reasons = Map.copyOf(reasons);
    }

    /** Returns whether certainly nothing is left. */
    public boolean isNothing() {
      return reasons.isEmpty();
    }
  }

  /** A leftover process and the key of its task. */
  private record Orphan(ProcStat process, String key) {}

  private OrphanSweep(Path nodeFolder, String runMark) {
    this.tasks = real(nodeFolder).resolve("tasks");
    this.runMark = runMark;
    this.lost = LostKeeper.of(nodeFolder);
    ProcFiles.lineage(Posix.getpid()).forEach(above -> ourselves.add(above.pid()));
    living = KeeperProcessHandle.of(nodeFolder).map(keeper -> (int) keeper.pid()).orElse(0);
    ourselves.add(living);
  }

  /**
   * Sends SIGKILL until nothing is left of a node's lost keepers, for two seconds at most. Blocks.
   *
   * @param runMark prefix of the keys of the node's tasks, such as "12/". With it, processes with
   *     such a key are found even without a record. May be empty.
   */
  public static Remains end(Path nodeFolder, String runMark) {
    return end(nodeFolder, runMark, LONGEST_MILLIS);
  }

  /** Works as {@link #end(Path, String)}, for {@code longestMillis} at most. */
  public static Remains end(Path nodeFolder, String runMark, long longestMillis) {
    try {
      return new OrphanSweep(nodeFolder.toAbsolutePath().normalize(), runMark).end(longestMillis);
    } catch (UncheckedIOException unseen) { // /proc is unreadable: anything may be left
      return new Remains(0, Map.of("", unseen.getCause().getMessage()));
    }
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException gone) {
      return folder;
    }
  }

  private Remains end(long longestMillis) {
    if (lost.isEmpty() && runMark.isEmpty()) {
      return new Remains(0, Map.of());
    }
    Set<String> killed = new HashSet<>();
    long deadline = System.nanoTime() + longestMillis * 1_000_000;
    List<Orphan> orphans = find();
    for (int quiet = orphans.isEmpty() ? 1 : 0; quiet < LOOKS; ) {
      for (Orphan orphan : orphans) {
        if (Signaller.send(orphan.process(), Posix.SIGKILL)) {
          killed.add(orphan.process().pid() + "." + orphan.process().startTicks());
        }
      }
      if (!orphans.isEmpty()) {
        if (System.nanoTime() - deadline > 0) {
          return new Remains(killed.size(), reasons(orphans));
        }
        pause();
      }
      orphans = find();
      quiet = orphans.isEmpty() ? quiet + 1 : 0;
    }
    lost.forEach(LostKeeper::forget);
    return new Remains(killed.size(), Map.of());
  }

  /** Returns the live processes that {@link #end} would kill. */
  private List<Orphan> find() {
    List<ProcStat> all = ProcFiles.all();
    Set<Integer> served = below(living, all);
    Map<Integer, String> keys = new HashMap<>();
    Map<Integer, String> sessions = new HashMap<>();
    for (ProcStat process : all) {
      boolean spared = process.dead() || ourselves.contains(process.pid());
      String key = spared ? null : keyOf(process, served.contains(process.pid()));
      if (key != null) {
        keys.put(process.pid(), key);
        if (process.session() == process.pid()) {
          sessions.put(process.pid(), key);
        }
      }
    }
    addAllBelow(all, keys, sessions);
    return all.stream()
        .filter(process -> keys.containsKey(process.pid()) && !process.dead())
        .map(process -> new Orphan(process, keys.get(process.pid())))
        .toList();
  }

  private static Set<Integer> below(int root, List<ProcStat> all) {
    Set<Integer> below = new HashSet<>();
    boolean grew = root != 0;
    while (grew) {
      grew = false;
      for (ProcStat process : all) {
        if (process.parent() == root || below.contains(process.parent())) {
          grew |= below.add(process.pid());
        }
      }
    }
    return below;
  }

  private void addAllBelow(
      List<ProcStat> all, Map<Integer, String> keys, Map<Integer, String> sessions) {
    boolean grew = !keys.isEmpty();
    while (grew) {
      grew = false;
      for (ProcStat process : all) {
        String key = keys.getOrDefault(process.parent(), sessions.get(process.session()));
        if (key != null && !ourselves.contains(process.pid()) && !serves(process)) {
          grew |= keys.putIfAbsent(process.pid(), key) == null;
        }
      }
    }
  }

  /** Returns whether it is the guardian of a lost keeper, or started by one. */
  private boolean serves(ProcStat process) {
    RlimitProcessMark.Mark limits = RlimitProcessMark.of(process.pid());
    return limits.serial() == 0
        && lost.stream().anyMatch(keeper -> keeper.number() == limits.keeper());
  }

  /**
   * Returns the key of the lost keeper's task that a process belongs to, or null.
   *
   * @param served whether it is below the live keeper
   */
  private String keyOf(ProcStat process, boolean served) {
    RlimitProcessMark.Mark limits = RlimitProcessMark.of(process.pid());
    String leads = process.pid() + "." + process.startTicks();
    for (LostKeeper keeper : lost) {
      if (keeper.number() == limits.keeper() && limits.serial() == 0) {
        return null;
      }
      String key = keeper.keyOf(limits);
      key = key != null ? key : keeper.leaders().get(leads);
      if (key != null) {
        return key;
      }
    }
    byte[] environment = ProcFiles.environment(process.pid());
    String key = environment == null ? null : ProcFiles.variable(environment, TaskMark.KEY);
    String keeper = key == null ? null : ProcFiles.variable(environment, TaskMark.KEEPER);
    if (keeper != null && isOfLost(key, keeper)) {
      return key;
    }
    boolean ofLiving = served || isOfLiving(limits) || (keeper != null && !isGone(keeper));
    return ofLiving || lost.isEmpty() ? null : ofWhatItHas(process.pid());
  }

  /** Returns whether a keeper that is not lost set these limits; one around us is ignored. */
  private boolean isOfLiving(RlimitProcessMark.Mark limits) {
    boolean around = limits.outermost() == own.outermost();
    return limits.keeper() != 0 || (limits.outermost() != 0 && !around);
  }

  private boolean isOfLost(String key, String keeper) {
    return lost.stream().anyMatch(one -> one.mark().equals(keeper))
        || (!runMark.isEmpty() && key.startsWith(runMark) && isGone(keeper));
  }

  /** Returns the key by control group or open files, for a process without a keeper's mark. */
  private String ofWhatItHas(int pid) {
    String key = ofGroup(pid);
    return key != null ? key : OpenFiles.find(pid, this::ofFile);
  }

  /** Returns whether a keeper is gone; a killed one that is still a zombie counts as gone. */
  private static boolean isGone(String keeper) {
    int dot = keeper.indexOf('.');
    try {
      int pid = Integer.parseInt(keeper.substring(0, Math.max(dot, 0)));
      long ticks = Long.parseLong(keeper.substring(dot + 1));
      ProcStat now = ProcFiles.stat(pid);
      return now == null ? !ProcFiles.exists(pid) : now.dead() || now.startTicks() != ticks;
    } catch (NumberFormatException notOurs) {
      return false;
    }
  }

  private String ofGroup(int pid) {
    String group = ProcFiles.group(pid);
    for (LostKeeper keeper : lost) {
      for (String key : group.isEmpty() ? List.<String>of() : keeper.keys().values()) {
        if (group.equals(TaskCgroups.name(key))) {
          return key;
        }
      }
    }
    return null;
  }

  private String ofFile(String path, OpenFiles.Source open) {
    if (path.startsWith(tasks + "/")) {
      String name = tasks.relativize(Path.of(path)).getName(0).toString();
      return open.read().isOutput() ? keyOfFolder(name) : null;
    }
    boolean maybeLock = path.endsWith(DeviceLocks.SUFFIX);
    for (LostKeeper keeper : maybeLock ? lost : List.<LostKeeper>of()) {
      if (open.read().isLockedBy(keeper.pid())) {
        return "";
      }
    }
    return null;
  }

  /** Returns the key of the task with this folder. */
  private String keyOfFolder(String name) {
    return lost.stream()
        .flatMap(keeper -> keeper.keys().values().stream())
        .filter(key -> key.endsWith("/" + name))
        .findFirst()
        .orElse(runMark + name);
  }

  /** Returns why each task has processes left. If all found have died, others may have appeared. */
  private static Map<String, String> reasons(List<Orphan> orphans) {
    Map<String, String> dying = new TreeMap<>();
    Map<String, String> reasons = new TreeMap<>();
    for (Orphan orphan : orphans) {
      dying.put(orphan.key(), "it starts processes as fast as they are ended");
      if (ProcFiles.isThere(orphan.process())) {
        reasons.putIfAbsent(orphan.key(), reason(ProcFiles.stat(orphan.process().pid())));
      }
    }
    return reasons.isEmpty() ? dying : reasons;
  }

  private static String reason(ProcStat process) {
    if (process == null) {
      return "a process that is just ending";
    }
    String which = "process " + process.pid() + ProcFiles.name(process.pid());
    if (process.state() == 'D') {
      return which + " waits for a disk or a device and cannot be ended before that answers";
    }
    try {
      int owner = (Integer) Files.getAttribute(Path.of("/proc/" + process.pid()), "unix:uid");
      if (owner != Posix.getuid() && Posix.getuid() != 0) {
        return which + " is of user " + owner + ": as that user, kill -9 " + process.pid();
      }
    } catch (IOException vanished) {
      return which + " is just ending";
    }
    return which + " does not end: kill -9 " + process.pid();
  }

  private static void pause() {
    try {
      Thread.sleep(ROUND_MILLIS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
