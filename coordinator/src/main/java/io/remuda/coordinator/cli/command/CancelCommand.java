package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;

/** Cancels jobs: waiting tasks at once, running tasks with SIGTERM and then SIGKILL. */
@Command(
    name = "cancel",
    description =
        "Cancels jobs: waiting tasks at once, running tasks with SIGTERM and then SIGKILL.")
final class CancelCommand extends JobsChange {

  CancelCommand() {
    super("cancel", "is cancelled");
  }
}
