package io.remuda.coordinator.cli.job;

import picocli.CommandLine.Command;

/** Holds jobs: their tasks that have not started wait for {@code remuda release}. */
@Command(
    name = "hold",
    description = "Holds whole jobs: their tasks that have not started wait for remuda release.")
public final class HoldCommand extends JobActionCommand {

  HoldCommand() {
    super("hold", "is on hold");
  }
}
