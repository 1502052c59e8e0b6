package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;

/** Lets a node finish what it runs and gives it no more. */
@Command(name = "drain", description = "Lets a node finish what it runs and gives it no more.")
final class DrainCommand extends NodeChange {

  DrainCommand() {
    super("drain", "gets no more tasks");
  }
}
