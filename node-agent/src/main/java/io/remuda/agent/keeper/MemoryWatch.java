package io.remuda.agent.keeper;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks once a second the memory of tasks that have requested some, and ends a task that holds
 * more than 1.1 times its request. Between two checks a task is not limited. Memory shared by
 * several of its processes counts once. One thread; it waits while there is no such task.
 */
final class MemoryWatch implements Runnable {
  private static final long PERIOD_MILLIS = 1000;
  private static final double TOLERANCE = 1.1;

  private record WatchedTask(TaskMark mark, TaskLimits limits, Path folder, long graceMillis) {}

  private final KeeperTasks table;
  private final ProcessTree tree;
  private final ExitRecorder recorder;
  private final Map<String, WatchedTask> watched = new HashMap<>();

  MemoryWatch(KeeperTasks table, ProcessTree tree, ExitRecorder recorder) {
    this.table = table;
    this.tree = tree;
    this.recorder = recorder;
  }

  /** Starts to check a task. Any thread. */
  synchronized void add(TaskMark mark, TaskLimits limits, SpawnRequest request) {
    watched.put(
        mark.key(),
        new WatchedTask(
            mark,
            limits,
            request.taskFolder(),
            Math.min(request.graceMillis(), KeeperTask.OVERUSE_GRACE_MILLIS)));
    notifyAll();
  }

  /** Stops checking a task. Any thread. */
  synchronized void remove(String key) {
    watched.remove(key);
  }

  private synchronized Collection<WatchedTask> awaitTasks() throws InterruptedException {
    while (watched.isEmpty()) {
      wait();
    }
    return new ArrayList<>(watched.values());
  }

  @Override
  public void run() {
    try {
      while (true) {
        look(awaitTasks());
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Collection<WatchedTask> tasks) {
    try {
      List<TaskMark> marks = new ArrayList<>();
      Set<Integer> others = new HashSet<>(table.leaders());
      for (WatchedTask task : tasks) {
        marks.add(task.mark());
        others.remove(task.mark().leader());
      }
      ProcessTree.Found found = tree.find(marks, others);
      for (WatchedTask task : tasks) {
        check(task, found.of(task.mark().key()));
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: a check of the memory of tasks failed, the next follows: " + fault);
    }
  }

  private void check(WatchedTask task, List<ProcStat> processes) {
    double most = TOLERANCE * task.limits().memoryBytes();
    if (sum(processes, false) <= most) {
      return;
    }
    long held = sum(processes, true);
    if (held > most) {
      String cause =
          "ended for holding "
              + TaskLimits.text(held)
              + ": more than its --mem of "
              + task.limits().memory();
      recorder.add(() -> LimitNote.write(task.folder(), cause)); // queued before its exit record
      remove(task.mark().key());
      table.kill(task.mark().key(), task.graceMillis());
    }
  }

  /** Returns the sum in bytes, with shared pages divided (PSS) or, which is quicker, in full. */
  private static long sum(List<ProcStat> processes, boolean shared) {
    long bytes = 0;
    for (ProcStat process : processes) {
      long part = shared ? ProcFiles.proportional(process.pid()) : -1;
      bytes += part >= 0 ? part : ProcFiles.resident(process.pid());
    }
    return bytes;
  }
}
