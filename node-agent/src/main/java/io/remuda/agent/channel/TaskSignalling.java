package io.remuda.agent.channel;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.Signaller;
import io.remuda.agent.keeper.task.ContainerEngineProcesses;
import io.remuda.agent.protocol.TaskSignal;
import io.remuda.worker.job.TaskId;
import java.io.IOException;

/** Sends users' signals to the process of a task that also gets the one before its time limit. */
final class TaskSignalling {

  private TaskSignalling() {}

  /**
   * Sends a signal to the first process of a task, in a container to that of the container.
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
    if (!Signaller.send(ContainerEngineProcesses.first(engine(first), first), signal.number())) {
      throw new IOException(
          "task "
              + task
              + " did not get "
              + signal.name()
              + ": it has just ended, or its process"
              + " belongs to another user");
    }
  }

  private static String engine(ProcStat first) {
    byte[] environment = ProcFiles.environment(first.pid());
    String engine =
        environment == null ? null : ProcFiles.variable(environment, SpawnRequest.CONTAINER);
    return engine == null ? "" : engine;
  }
}
