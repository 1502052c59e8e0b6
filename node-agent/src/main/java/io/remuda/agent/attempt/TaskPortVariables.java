package io.remuda.agent.attempt;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.CommandWorkload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables by which the processes of a task with GPUs meet at a port that no other task of the
 * machine has. Launchers take port 29500 without them: PyTorch's {@code torchrun} reads {@code
 * PET_MASTER_PORT}, accelerate, DeepSpeed and scripts read {@code MASTER_PORT}.
 */
public final class TaskPortVariables {

  /** The variable that only such tasks have. */
  private static final String PORT = "REMUDA_TASK_PORT";

  private static final String ADDRESS = "MASTER_ADDR";
  private static final String LOOPBACK = "127.0.0.1";
  private static final List<String> PORTS = List.of(PORT, "MASTER_PORT", "PET_MASTER_PORT");

  /** One of these says that the user has chosen a place to meet. */
  private static final List<String> CHOSEN =
      List.of(ADDRESS, "MASTER_PORT", "PET_MASTER_ADDR", "PET_MASTER_PORT", "PET_RDZV_ENDPOINT");

  private TaskPortVariables() {}

  /** Returns whether a task gets them: it has GPUs, and its user has set none. */
  static boolean areWanted(TaskStartOrder order) {
    return order.job().start() == null
        && !order.devices().isEmpty()
        && order.workload() instanceof CommandWorkload command
        && CHOSEN.stream().noneMatch(command.environment()::containsKey);
  }

  static Map<String, String> of(int port) {
    Map<String, String> all = new HashMap<>();
    PORTS.forEach(name -> all.put(name, Integer.toString(port)));
    all.put(ADDRESS, LOOPBACK);
    return all;
  }

  /**
   * Returns the variables of a shell without those that were set here for the task that it is, if
   * it is one: a job that a task submits gets its own.
   */
  static Map<String, String> withoutTask(Map<String, String> shell) {
    String port = shell.get(PORT);
    if (port == null) {
      return shell;
    }
    Map<String, String> rest = new HashMap<>(shell);
    PORTS.forEach(name -> rest.remove(name, port));
    rest.remove(ADDRESS, LOOPBACK);
    return rest;
  }
}
