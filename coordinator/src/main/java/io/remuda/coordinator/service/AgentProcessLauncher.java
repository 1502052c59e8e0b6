package io.remuda.coordinator.service;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.AgentLock;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.JvmFlags;
import io.remuda.coordinator.launch.AgentProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Agents that are processes of their own, which outlive a server that is killed. */
public final class AgentProcessLauncher implements AgentLauncher {

  private final Distribution distribution;
  private final Caller caller;

  /**
   * Starts agents of a release.
   *
   * @param caller whose surroundings they inherit, such as {@code REMUDA_HOME}
   */
  public AgentProcessLauncher(Distribution distribution, Caller caller) {
    this.distribution = distribution;
    this.caller = caller;
  }

  @Override
  public Optional<Agent> find(Path folder) throws IOException {
    return AgentLock.isHeld(folder)
        ? Optional.of(new Found(AgentLock.holder(folder)))
        : Optional.empty();
  }

  @Override
  public Agent start(Path folder, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add("setsid"); // Ctrl-C at the terminal must only end the server
    command.add(Distribution.java().toString());
    command.addAll(JvmFlags.agent());
    command.addAll(List.of("-jar", distribution.agentJar().toString()));
    command.addAll(options);
    return new Started(
        AgentProcess.start(
            folder,
            command,
            caller::passTo,
            Map.of("LC_ALL", "C.UTF-8"))); // paths may have any character
  }

  /**
   * An agent that another server has started.
   *
   * @param process empty if the agent is just starting
   */
  private record Found(Optional<ProcessHandle> process) implements Agent {

    @Override
    public boolean isAlive() {
      return process.map(ProcessHandle::isAlive).orElse(false);
    }

    @Override
    public int exitCode() {
      throw new IllegalStateException("no child of this process: " + process);
    }

    @Override
    public void askToEnd() {
      process.ifPresent(ProcessHandle::destroy);
    }
  }

  private record Started(Process process) implements Agent {

    @Override
    public boolean isAlive() {
      return process.isAlive();
    }

    @Override
    public int exitCode() {
      return process.exitValue();
    }

    @Override
    public void askToEnd() {
      process.destroy();
    }
  }
}
