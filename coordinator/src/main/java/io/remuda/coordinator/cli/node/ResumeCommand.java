package io.remuda.coordinator.cli.node;

import picocli.CommandLine.Command;

/** Starts tasks on a drained node again. */
@Command(name = "resume", description = "Starts tasks on a drained node again.")
public final class ResumeCommand extends NodeChange {

  ResumeCommand() {
    super("resume", "gets tasks again");
  }
}
