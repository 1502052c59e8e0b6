package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.proc.OpenFiles;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.proc.TaskMark;
import io.remuda.agent.keeper.sweep.KeeperProcessJournal;
import java.util.function.IntFunction;

/**
 * Finds the task of a process of this keeper if neither parents nor session show it: by the mark in
 * the limits, else by that in the environment, else by an open output file or device lock of a
 * task. Any thread.
 */
final class DetachedProcessTaskLookup implements IntFunction<String> {
  /** For processes of a task that has ended. */
  static final String ENDED = "";

  /** For processes that serve the keeper; no task has this key, so they are not killed. */
  private static final String SERVICE = " ";

  private final String keeperMark;
  private final KeeperProcessJournal record;
  private final KeeperTasks table;

  DetachedProcessTaskLookup(String keeperMark, KeeperProcessJournal record, KeeperTasks table) {
    this.keeperMark = keeperMark;
    this.record = record;
    this.table = table;
  }

  /** Returns the key of a task, {@link #ENDED}, or null if nothing is known. */
  @Override
  public String apply(int pid) {
    RlimitProcessMark.Mark limits = RlimitProcessMark.of(pid);
    if (limits.keeper() == record.number()) {
      return limits.serial() == 0 ? SERVICE : ofSerial(limits.serial());
    }
    String key = TaskMark.keyOf(pid, keeperMark);
    return key != null ? key : OpenFiles.find(pid, (path, open) -> table.keyOfFile(path));
  }

  private String ofSerial(long serial) {
    String key = record.key(serial);
    return key == null ? ENDED : key;
  }
}
