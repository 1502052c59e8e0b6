package io.remuda.coordinator.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Slurm allocation of this process, as described by its environment.
 *
 * @param components one, or several of a heterogeneous job
 */
public record SlurmAllocation(List<Component> components) {

  /** Step ids from here on are not of tasks: the batch script, the interactive shell, others. */
  private static final long LAST_TASK_STEP = 0xfffffff0L;

  /**
   * Nodes of one kind.
   *
   * @param group its number in a heterogeneous job; empty in any other
   * @param job its job id
   * @param nodeList in Slurm's format, such as {@code gpu[1-3]}
   * @param nodes number of nodes in the list
   */
  public record Component(Optional<Integer> group, String job, String nodeList, int nodes) {}

  public SlurmAllocation {
    components = List.copyOf(components);
    if (components.isEmpty()) {
      throw new IllegalArgumentException("an allocation needs a component");
    }
  }

  /**
   * Returns the allocation of a process with this environment; empty outside Slurm.
   *
   * @throws IllegalArgumentException if a run cannot be started here: under an srun with several
   *     tasks, or without the variables that Slurm sets
   */
  public static Optional<SlurmAllocation> of(Map<String, String> environment) {
    return of(environment, "--nodes 1");
  }

  /**
   * Returns the allocation of a process with this environment; empty outside Slurm.
   *
   * @param alone the option with which the user's command runs on this machine alone
   * @throws IllegalArgumentException as {@link #of(Map)} does
   */
  public static Optional<SlurmAllocation> of(Map<String, String> environment, String alone) {
    try {
      return read(environment);
    } catch (MissingVariableException missing) {
      throw new IllegalArgumentException(
          "in a Slurm job, but "
              + missing.getMessage()
              + " is not set: give "
              + alone
              + " to run on this machine alone",
          missing);
    }
  }

  private static final class MissingVariableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private MissingVariableException(String name) {
      super(name);
    }
  }

  private static Optional<SlurmAllocation> read(Map<String, String> environment) {
    if (given(environment, "SLURM_JOB_ID").isEmpty()) {
      return Optional.empty();
    }
    refuseOneOfMany(environment);
    int groups = given(environment, "SLURM_HET_SIZE").map(Integer::parseInt).orElse(0);
    List<Component> components = new ArrayList<>();
    if (groups == 0) {
      components.add(component(environment, Optional.empty(), ""));
    }
    for (int group = 0; group < groups; group++) {
      components.add(component(environment, Optional.of(group), "_HET_GROUP_" + group));
    }
    return Optional.of(new SlurmAllocation(components));
  }

  /** Refuses an srun with several tasks: each task would be a separate coordinator. */
  private static void refuseOneOfMany(Map<String, String> environment) {
    boolean inTaskStep =
        given(environment, "SLURM_STEP_ID")
            .map(id -> Long.parseLong(id) < LAST_TASK_STEP)
            .orElse(false);
    int tasks = given(environment, "SLURM_STEP_NUM_TASKS").map(Integer::parseInt).orElse(1);
    if (inTaskStep && tasks > 1) {
      throw new IllegalArgumentException(
          "srun starts this program "
              + tasks
              + " times: start it once, without srun; it starts an agent on every node by itself");
    }
  }

  private static Component component(
      Map<String, String> environment, Optional<Integer> group, String suffix) {
    String nodes =
        given(environment, "SLURM_JOB_NUM_NODES" + suffix)
            .orElseGet(() -> needed(environment, "SLURM_NNODES" + suffix));
    return new Component(
        group,
        needed(environment, "SLURM_JOB_ID" + suffix),
        needed(environment, "SLURM_JOB_NODELIST" + suffix),
        Integer.parseInt(nodes));
  }

  private static Optional<String> given(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  private static String needed(Map<String, String> environment, String name) {
    return given(environment, name).orElseThrow(() -> new MissingVariableException(name));
  }

  /** Returns the number of nodes of all components. */
  public int nodes() {
    return components.stream().mapToInt(Component::nodes).sum();
  }
}
