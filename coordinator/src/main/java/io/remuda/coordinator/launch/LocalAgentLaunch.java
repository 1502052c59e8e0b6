package io.remuda.coordinator.launch;

import io.remuda.agent.keeper.sweep.MarkedProcessSweep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The start of one agent on this machine.
 *
 * @param node name of its node
 * @param place of the run that it belongs to
 */
public record LocalAgentLaunch(String node, AgentLaunchSettings place) {

  /** Environment variable that all processes of a node on this machine inherit. */
  private static final String MARK = "REMUDA_NODE_MARK";

  private String mark() {
    return place.run() + "/" + node;
  }

  private Path folder() {
    return place.node(node);
  }

  /** Starts the agent; its output goes to {@code agent.log} in the node's folder. */
  public Process start() throws IOException {
    return AgentProcess.start(folder(), command(), own -> {}, Map.of(MARK, mark()));
  }

  Path log() {
    return AgentProcess.log(folder());
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(AgentCommand.of(place));
    command.addAll(
        List.of(
            "--name",
            node,
            "--folder",
            folder().toString(),
            "--launched-by",
            Long.toString(ProcessHandle.current().pid())));
    return command;
  }

  /** Kills all processes of the node: agent, keeper and tasks. */
  public void endAll() {
    MarkedProcessSweep.kill(MARK, mark());
  }
}
