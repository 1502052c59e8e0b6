package io.remuda.coordinator.cli.job;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Has the running tasks of jobs leave their places, to wait again. */
@Command(
    name = "requeue",
    description =
        "Has the running tasks of jobs, or single tasks, leave their places: SIGTERM or their --preempt-signal, and"
            + " SIGKILL after their grace. They wait again then.")
public final class RequeueCommand extends JobActionCommand {

  @Option(names = "--hold", description = "keep them waiting until remuda release")
  private boolean hold;

  RequeueCommand() {
    super("requeue", "is requeued");
  }

  @Override
  boolean takesTasks() {
    return !hold;
  }

  @Override
  String actionOfMany() {
    return hold ? "requeue-on-hold" : "requeue";
  }

  @Override
  String query() {
    return hold ? "?hold=1" : "";
  }
}
