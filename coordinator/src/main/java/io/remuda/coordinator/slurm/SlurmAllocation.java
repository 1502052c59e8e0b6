package io.remuda.coordinator.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What Slurm has given to this process, as its environment says.
 *
 * @param components one, or several of a heterogeneous job
 */
public record SlurmAllocation(List<Component> components) {

  /** Step ids above this are not of tasks: the batch script, the interactive shell, others. */
  private static final long LAST_TASK_STEP = 0xfffffff0L;

  /**
   * Nodes of one kind.
   *
   * @param group its number in a heterogeneous job, or nothing
   * @param job its job id
   * @param nodeList as Slurm writes it, such as {@code gpu[1-3]}
   * @param nodes how many these are
   */
  public record Component(Optional<Integer> group, String job, String nodeList, int nodes) {}

  public SlurmAllocation {
    components = List.copyOf(components);
    if (components.isEmpty()) {
      throw new IllegalArgumentException("an allocation has a component");
    }
  }

  /**
   * The allocation of a process with this environment, or nothing outside Slurm.
   *
   * @throws IllegalArgumentException where a run cannot be started: by srun with several tasks, or
   *     in an environment that lacks what Slurm sets
   */
  public static Optional<SlurmAllocation> of(Map<String, String> environment) {
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

  /** srun starts each of its tasks: each would be a coordinator of its own. */
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
    return given(environment, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "in a Slurm job, but "
                        + name
                        + " is not set: give --nodes 1 to run on this machine alone"));
  }

  /** Nodes of all components. */
  public int nodes() {
    return components.stream().mapToInt(Component::nodes).sum();
  }
}
