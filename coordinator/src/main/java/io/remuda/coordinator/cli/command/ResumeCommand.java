package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;

/** Gives a drained node tasks again. */
@Command(name = "resume", description = "Gives a drained node tasks again.")
final class ResumeCommand extends NodeChange {

  ResumeCommand() {
    super("resume", "gets tasks again");
  }
}
