package io.remuda.agent.attempt;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.TaskMark;
import io.remuda.agent.protocol.DeviceVariables;
import java.util.Optional;
import java.util.Set;

/** The variables that Remuda sets for each task, whatever its job says; nobody may choose them. */
public final class ReservedVariables {

  /** Those of a single task and its job, besides those of devices and gangs. */
  static final Set<String> OF_TASKS =
      Set.of(
          "REMUDA_JOB",
          "REMUDA_JOB_UUID",
          "REMUDA_JOB_NAME",
          "REMUDA_TASK",
          "REMUDA_TASK_INDEX",
          "REMUDA_TASK_COUNT",
          "REMUDA_ATTEMPT",
          "REMUDA_NODE",
          "REMUDA_USER",
          "REMUDA_CPUS",
          "REMUDA_MEM_MIB",
          "REMUDA_GPU_MEM_MIB",
          "REMUDA_DEVICES",
          "REMUDA_SCRATCH",
          "REMUDA_METRICS",
          TaskMark.KEY,
          TaskMark.KEEPER,
          SpawnRequest.CONTAINER,
          SpawnRequest.CPU_SET);

  private ReservedVariables() {}

  /**
   * Returns why a job must not choose a variable, and what to do instead; empty if it may.
   *
   * @param gang whether the job is a gang
   */
  public static Optional<String> refusal(String name, boolean gang) {
    if (DeviceVariables.NAMES.contains(name)) {
      return Optional.of(
          "Remuda sets "
              + name
              + " to the GPUs that it lends: ask for them with --gpus N (--gpu-model, --node), or"
              + " set it in the command, as env "
              + name
              + "=VALUE PROGRAM");
    }
    if (OF_TASKS.contains(name)) {
      return Optional.of("Remuda sets " + name + " for each task: take another name");
    }
    return gang && GangVariables.NAMES.contains(name)
        ? Optional.of(
            "Remuda sets "
                + name
                + " for the members of a gang: take another name, or set it in the command, as env "
                + name
                + "=VALUE PROGRAM")
        : Optional.empty();
  }
}
