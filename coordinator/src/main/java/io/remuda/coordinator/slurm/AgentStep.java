package io.remuda.coordinator.slurm;

import io.remuda.agent.settings.JvmFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** An srun process that has started agents, on one node or on several. */
final class AgentStep {

  /** Limits of the job for each of its tasks; srun would apply them to the agents. */
  private static final Pattern PER_TASK =
      Pattern.compile(
          "SLURM_(GPUS_PER_TASK|GPU_BIND|CPU_BIND.*|CPUS_PER_TASK|NTASKS.*|TRES_PER_TASK|MEM_BIND.*"
              + "|DISTRIBUTION|EXACT|EXCLUSIVE)");

  private final List<String> nodes;
  private final Process srun;

  private AgentStep(List<String> nodes, Process srun) {
    this.nodes = List.copyOf(nodes);
    this.srun = srun;
  }

  /**
   * Starts an srun.
   *
   * @param nodes on which it starts agents
   * @param log gets the output of srun itself
   */
  static AgentStep start(List<String> nodes, List<String> command, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> PER_TASK.matcher(name).matches());
    builder.environment().putAll(JvmFlags.agentEnvironment());
    return new AgentStep(nodes, builder.start());
  }

  List<String> nodes() {
    return nodes;
  }

  Process srun() {
    return srun;
  }

  boolean isAlive() {
    return srun.isAlive();
  }
}
