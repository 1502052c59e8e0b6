package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;

/** Keeps tasks of jobs that have not started from starting. */
@Command(name = "hold", description = "Keeps tasks of jobs that have not started from starting.")
final class HoldCommand extends JobsChange {

  HoldCommand() {
    super("hold", "is on hold");
  }
}
