package io.remuda.coordinator.launch;

import io.remuda.agent.keeper.MarkSweep;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.JvmFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * How one agent of this machine is started.
 *
 * @param node its name
 * @param run the run it belongs to
 * @param access the run's access file; the agent waits until it is there
 * @param folder of the node
 * @param cache for class archives, native libraries and data
 * @param simulatedGpus such as {@code h200:8}, or null for the machine's own
 */
public record AgentLaunch(
    String node,
    String run,
    Path access,
    Path folder,
    Path cache,
    String simulatedGpus,
    Distribution distribution) {

  /** Environment variable that all processes of a node of this machine inherit. */
  private static final String MARK = "REMUDA_NODE_MARK";

  private String mark() {
    return run + "/" + node;
  }

  /** Starts the agent; its output goes to {@code agent.log} in the node's folder. */
  public Process start() throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    ProcessBuilder builder = new ProcessBuilder(command());
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    builder.environment().put(MARK, mark());
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    return builder.start();
  }

  Path log() {
    return folder.resolve("agent.log");
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Distribution.java().toString());
    command.addAll(JvmFlags.agent());
    command.addAll(
        List.of(
            "-jar",
            distribution.agentJar().toString(),
            "--join",
            access.toString(),
            "--name",
            node,
            "--run",
            run,
            "--folder",
            folder.toString(),
            "--cache",
            cache.toString(),
            "--launched-by",
            Long.toString(ProcessHandle.current().pid())));
    if (simulatedGpus != null) {
      command.add("--simulate-gpus");
      command.add(simulatedGpus);
    }
    return command;
  }

  /** Ends whatever is left of the node: its agent, its keeper, its tasks. */
  public void endAll() {
    MarkSweep.kill(MARK, mark());
  }
}
