package io.remuda.coordinator.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An srun that has started agents, on one node or on several. */
final class AgentStep {

  private final List<String> nodes;
  private final Process srun;

  private AgentStep(List<String> nodes, Process srun) {
    this.nodes = List.copyOf(nodes);
    this.srun = srun;
  }

  /**
   * Starts the command, which is an srun.
   *
   * @param nodes that it starts agents on
   * @param log gets what srun itself says
   */
  static AgentStep start(List<String> nodes, List<String> command, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new AgentStep(nodes, process);
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
