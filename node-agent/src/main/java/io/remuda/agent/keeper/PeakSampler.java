package io.remuda.agent.keeper;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Samples the memory of running tasks for the peaks in their exit records: of each task the
 * resident memory of all its processes together, and the peak of each of them. The kernel's count
 * of a child is not enough: it begins with the peak of the keeper, from which the child was started
 * by vfork, and never adds up several processes. One thread.
 */
final class PeakSampler implements Runnable {
  private static final long PERIOD_MILLIS = 1000;

  /** A task is sampled from this age on; shorter ones would cost more than they use. */
  static final long FIRST_MILLIS = 1000;

  /** From this age on a task is sampled once in {@link #SELDOM} periods. */
  static final long SETTLED_MILLIS = 60_000;

  private static final int SELDOM = 10;

  private final KeeperTasks tasks;
  private final ProcessTree tree;

  PeakSampler(KeeperTasks tasks, ProcessTree tree) {
    this.tasks = tasks;
    this.tree = tree;
  }

  @Override
  public void run() {
    try {
      for (long round = 0; ; round++) {
        Thread.sleep(PERIOD_MILLIS);
        sample(round % SELDOM == 0);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void sample(boolean settledToo) {
    try {
      List<TaskMark> marks = tasks.runningFor(FIRST_MILLIS);
      if (marks.size() > 0 && (settledToo || !tasks.areSettled(SETTLED_MILLIS))) {
        sample(marks);
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: a sample of the memory of tasks failed: " + fault);
    }
  }

  private void sample(List<TaskMark> marks) {
    Set<Integer> others = new HashSet<>(tasks.leaders());
    marks.forEach(mark -> others.remove(mark.leader()));
    ProcessTree.Found found = tree.find(marks, others);
    for (TaskMark mark : marks) {
      long together = 0;
      long largest = 0;
      for (ProcStat process : found.of(mark.key())) {
        ProcFiles.Memory memory = ProcFiles.memory(process.pid());
        together += memory.resident();
        largest = Math.max(largest, memory.peak());
      }
      tasks.notePeak(mark.key(), Math.max(together, largest));
    }
  }
}
