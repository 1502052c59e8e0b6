package io.remuda.coordinator.launch;

import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.JvmFlags;
import java.util.ArrayList;
import java.util.List;

/** The part of an agent's command line that is equal on all machines of a run. */
public final class AgentCommand {

  private AgentCommand() {}

  /** Returns Java with its flags, the jar and the options that name the run. */
  public static List<String> of(AgentLaunchSettings place) {
    List<String> command = new ArrayList<>();
    command.add(Distribution.java().toString());
    command.addAll(JvmFlags.agent());
    command.addAll(
        List.of(
            "-jar",
            place.distribution().agentJar().toString(),
            "--join",
            place.access().toString(),
            "--run",
            place.run(),
            "--cache",
            place.cache().toString()));
    if (place.simulatedGpus() != null) {
      command.addAll(List.of("--simulate-gpus", place.simulatedGpus()));
    }
    return command;
  }
}
