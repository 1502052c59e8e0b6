package io.remuda.agent.channel;

import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.ending.ProcTraits;
import io.remuda.agent.keeper.ending.SignalTargets;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.Signaller;
import io.remuda.agent.keeper.task.RunningTaskProcesses;
import io.remuda.agent.protocol.TaskSignal;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.signal.SignalReach;
import java.io.IOException;
import java.util.List;

/** Sends users' signals to those processes of a task that also get the one before its limit. */
final class TaskSignalling {

  private TaskSignalling() {}

  /**
   * Sends a signal to the processes of a task that it reaches.
   *
   * @param pid of the first process, 0 if the task does not run
   * @throws IOException if no process gets it; the message is for users
   */
  static void send(TaskId task, long pid, TaskSignal signal) throws IOException {
    ProcStat first = pid == 0 ? null : ProcFiles.stat((int) pid);
    boolean leads = first != null && !first.dead() && first.session() == first.pid();
    if (!leads) { // each task has a session of its own, so it is no process that came later
      throw new IOException("task " + task + " does not run");
    }
    RunningTaskProcesses processes = RunningTaskProcesses.of(first);
    List<ProcStat> targets =
        SignalTargets.ofSignal(
            WayOut.USER_SIGNAL,
            signal.number(),
            ReachedProcesses.valueOf(signal.reach().name()),
            processes.command(),
            processes.first(),
            new ProcTraits());
    if (targets.isEmpty()) {
      throw new IOException(
          "task "
              + task
              + " did not get "
              + signal.name()
              + (signal.reach() == SignalReach.CHILDREN
                  ? ": nothing below its first process handles it"
                  : ": its shell has no handler for it and has started nothing that could get it"));
    }
    boolean sent = false;
    for (ProcStat target : targets) {
      sent |= Signaller.send(target, signal.number());
    }
    if (!sent) {
      throw new IOException(
          "task "
              + task
              + " did not get "
              + signal.name()
              + ": it has just ended, or its process"
              + " belongs to another user");
    }
  }
}
