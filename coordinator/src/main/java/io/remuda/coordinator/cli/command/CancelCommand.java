package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;

/** Ends jobs: what waits at once, what runs with SIGTERM and then SIGKILL. */
@Command(
    name = "cancel",
    description = "Ends jobs: what waits at once, what runs with SIGTERM and then SIGKILL.")
final class CancelCommand extends JobsChange {

  CancelCommand() {
    super("cancel", "is cancelled");
  }
}
