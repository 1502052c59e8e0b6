package io.remuda.agent.keeper;

import java.util.function.IntFunction;

/**
 * Says which task of this keeper a process belongs to when neither its parents nor its session do:
 * by the mark in its limits, else by that in its environment, else by the output and the devices of
 * a task that it holds open. Any thread.
 */
final class TaskOwners implements IntFunction<String> {
  /** Of what is left of a task that has ended. */
  static final String ENDED = "";

  /** Of a process that is no task's, and is left in peace. */
  private static final String SERVICE = " ";

  private final String keeperMark;
  private final KeeperRecord record;
  private final KeeperTasks table;

  TaskOwners(String keeperMark, KeeperRecord record, KeeperTasks table) {
    this.keeperMark = keeperMark;
    this.record = record;
    this.table = table;
  }

  /** The key of a task, {@link #ENDED}, or null if nothing is known. */
  @Override
  public String apply(int pid) {
    LockLimit.Mark limits = LockLimit.of(pid);
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
