package io.remuda.coordinator.cli.job;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cancels jobs: waiting tasks at once, running tasks with SIGTERM and then SIGKILL. */
@Command(
    name = "cancel",
    description =
        "Cancels jobs: waiting tasks at once, running tasks with SIGTERM and, after their grace,"
            + " SIGKILL.")
public final class CancelCommand extends JobsChange {

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
