package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.LiveUse;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskUsageFile;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.keeper.limit.LimitNote;
import io.remuda.agent.keeper.limit.TaskLimits;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks once a second at the memory of running tasks. Their peaks go into their exit records; a
 * task that holds more than 1.1 times what it has requested is ended. Between two looks a task is
 * not limited.
 *
 * <p>The kernel's count of a child is not enough for a peak: it begins with the peak of the keeper,
 * from which the child was started by vfork, and never adds up several processes. Pages that
 * several processes of a task share, as workers of a data loader do, count once; this is looked at
 * only if the task seems to hold more than before, because it is slow.
 *
 * <p>One thread.
 */
final class MemoryWatch implements Runnable {
  private static final long PERIOD_MILLIS = 1000;
  private static final double TOLERANCE = 1.1;

  /** Shorter tasks have no peak: to look at them would cost more than they use. */
  private static final long FIRST_MILLIS = 1000;

  /** From this age on the peak of a task is looked for once in {@link #SELDOM} periods. */
  private static final long SETTLED_MILLIS = 60_000;

  private static final int SELDOM = 10;

  /** Linux reports start times in hundredths of a second. */
  private static final long TICK_MILLIS = 10;

  private record LimitedTask(TaskMark mark, TaskLimits limits, Path folder, long graceMillis) {
    private boolean isExceededBy(long bytes) {
      return bytes > TOLERANCE * limits.memoryBytes();
    }
  }

  private final KeeperTasks table;
  private final TaskProcessFinder tree;
  private final ExitRecorder recorder;
  private final BootClock clock;
  private final Path nodeFolder;

  /** Whether the file of uses is being written, which takes as long as the disk hangs. */
  private final AtomicBoolean writing = new AtomicBoolean();

  private final Map<String, LimitedTask> limited = new HashMap<>();

  /**
   * @param nodeFolder gets the file of what running tasks have used
   */
  MemoryWatch(
      KeeperTasks table,
      TaskProcessFinder tree,
      ExitRecorder recorder,
      BootClock clock,
      Path nodeFolder) {
    this.clock = clock;
    this.nodeFolder = nodeFolder;
    this.table = table;
    this.tree = tree;
    this.recorder = recorder;
  }

  /** Holds a task to its limit from now on. Any thread. */
  synchronized void add(TaskMark mark, TaskLimits limits, SpawnRequest request) {
    limited.put(
        mark.key(),
        new LimitedTask(
            mark,
            limits,
            request.taskFolder(),
            Math.min(request.graceMillis(), WayOut.MEMORY.grace().mostMillis())));
  }

  /** Holds a task to its limit no more. Any thread. */
  synchronized void remove(String key) {
    limited.remove(key);
  }

  private synchronized Map<String, LimitedTask> limited() {
    return Map.copyOf(limited);
  }

  @Override
  public void run() {
    try {
      for (long round = 0; ; round++) {
        Thread.sleep(PERIOD_MILLIS);
        look(round % SELDOM == 0);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at tasks with a limit, and at the young ones or all. */
  private void look(boolean all) {
    try {
      Map<String, LimitedTask> limits = limited();
      Set<TaskMark> marks =
          new HashSet<>(table.running(FIRST_MILLIS, all ? Long.MAX_VALUE : SETTLED_MILLIS));
      limits.values().forEach(task -> marks.add(task.mark()));
      if (!marks.isEmpty()) {
        look(marks, limits, all);
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: a check of the memory of tasks failed, the next follows: " + fault);
    }
  }

  private void look(Set<TaskMark> marks, Map<String, LimitedTask> limits, boolean all) {
    Set<Integer> others = new HashSet<>(table.leaders());
    marks.forEach(mark -> others.remove(mark.leader()));
    TaskProcessFinder.Found found = tree.find(List.copyOf(marks), others);
    Map<String, LiveUse> uses = new HashMap<>();
    for (TaskMark mark : marks) {
      List<ProcStat> processes =
          ContainerEngineProcesses.without(table.request(mark.key()), found.of(mark.key()));
      long together = 0;
      long largest = 0;
      for (ProcStat process : processes) {
        ProcFiles.Memory memory = ProcFiles.memory(process.pid());
        together += memory.resident();
        largest = Math.max(largest, memory.peak());
      }
      if (together > table.peak(mark.key())) {
        long shared = processes.size() > 1 ? proportional(processes) : together;
        table.notePeak(mark.key(), Math.max(shared, largest));
      }
      if (all) {
        uses.put(mark.key(), use(mark, processes, together));
      }
      LimitedTask task = limits.get(mark.key());
      if (task != null && task.isExceededBy(together)) {
        endIfExceeded(task, proportional(processes));
      }
    }
    if (all) {
      write(uses);
    }
  }

  private LiveUse use(TaskMark mark, List<ProcStat> processes, long resident) {
    long cpu = 0;
    for (ProcStat process : processes) {
      cpu += ProcFiles.cpuMillis(process.pid());
    }
    long ran = Math.max(0, clock.millis() - mark.startTicks() * TICK_MILLIS);
    return new LiveUse(ran, cpu, resident, table.peak(mark.key()));
  }

  private void write(Map<String, LiveUse> uses) {
    if (!writing.compareAndSet(false, true)) {
      return;
    }
    recorder.add(
        () -> {
          try {
            TaskUsageFile.write(nodeFolder, uses);
          } catch (IOException fault) {
            KeeperLog.line("keeper: what tasks use cannot be written: " + fault.getMessage());
          } finally {
            writing.set(false);
          }
        });
  }

  /**
   * Ends a task if it holds more than it may.
   *
   * @param held bytes, with what several processes share counted once
   */
  private void endIfExceeded(LimitedTask task, long held) {
    if (!task.isExceededBy(held)) {
      return;
    }
    String cause =
        "ended for holding "
            + TaskLimits.text(held)
            + ": more than its --mem of "
            + task.limits().memory();
    recorder.add(() -> LimitNote.write(task.folder(), cause)); // queued before its exit record
    remove(task.mark().key());
    table.end(task.mark().key(), WayOut.MEMORY.signal(ReachedProcesses.FIRST), task.graceMillis());
  }

  /** Returns the sum in bytes with shared pages divided; slower than the resident memory. */
  private static long proportional(List<ProcStat> processes) {
    long bytes = 0;
    for (ProcStat process : processes) {
      long part = ProcFiles.proportional(process.pid());
      bytes += part >= 0 ? part : ProcFiles.memory(process.pid()).resident();
    }
    return bytes;
  }
}
