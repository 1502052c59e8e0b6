package io.remuda.coordinator.cli.node;

import io.remuda.coordinator.client.RestClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts no more tasks on a node; its running tasks finish. */
@Command(name = "drain", description = "Starts no more tasks on a node; its running tasks finish.")
public final class DrainCommand extends NodeChange {

  @Option(
      names = "--gone",
      description = {
        "declare a silent node permanently gone, with all processes of its tasks:",
        "they are cancelled, lost, or run again elsewhere. Make sure that the machine is off."
      })
  private boolean gone;

  @Option(
      names = "--move",
      description = "have its preemptible tasks leave, to run elsewhere; the others finish")
  private boolean move;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "why, as nodes and explain then say")
  private String reason;

  DrainCommand() {
    super("drain", "gets no more tasks");
  }

  @Override
  String action() {
    String why = reason == null ? "" : "&reason=" + RestClient.encode(reason);
    String query = (move && !gone ? "&move=1" : "") + why;
    return (gone ? "gone" : super.action()) + query.replaceFirst("^&", "?");
  }

  @Override
  String done() {
    if (move && !gone) {
      return "gets no more tasks, and its preemptible ones leave";
    }
    return gone ? "is gone, and its attempts have ended" : super.done();
  }
}
