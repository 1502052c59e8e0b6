package io.remuda.coordinator.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lets a node finish what it runs and gives it no more. */
@Command(name = "drain", description = "Lets a node finish what it runs and gives it no more.")
final class DrainCommand extends NodeChange {

  @Option(
      names = "--gone",
      description = {
        "Says that a silent node is gone for good, and with it all processes of its tasks:",
        "what it had is cancelled, lost, or runs again elsewhere. Make sure that it is off."
      })
  private boolean gone;

  DrainCommand() {
    super("drain", "gets no more tasks");
  }

  @Override
  String action() {
    return gone ? "gone" : super.action();
  }

  @Override
  String done() {
    return gone ? "is gone, and what it had is over" : super.done();
  }
}
