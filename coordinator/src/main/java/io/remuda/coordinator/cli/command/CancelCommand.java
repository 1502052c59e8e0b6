package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends jobs: what waits at once, what runs with SIGTERM and then SIGKILL. */
@Command(
    name = "cancel",
    description =
        "Ends jobs: what waits at once, what runs with SIGTERM and, after its grace, SIGKILL.")
final class CancelCommand extends JobsChange {

  @Option(names = "--now", description = "with SIGKILL at once, not after each task's grace")
  private boolean now;

  @Override
  String query() {
    return now ? "?now=1" : "";
  }

  CancelCommand() {
    super("cancel", "is cancelled");
  }
}
