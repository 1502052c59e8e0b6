package io.remuda.coordinator.cli.node;

import io.remuda.coordinator.client.RestClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Starts no more tasks on a node or on some of its GPUs; running tasks finish. */
@Command(
    name = "drain",
    description =
        "Starts no more tasks on a node, or on some of its GPUs; its running tasks finish.")
public final class DrainCommand extends NodeActionCommand {

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

  @Option(
      names = "--gpu",
      paramLabel = "GPU",
      split = ",",
      description =
          "only these GPUs, by number or UUID as remuda gpus shows them, separated by commas;"
              + " the others go on")
  private List<String> gpus = new ArrayList<>();

  DrainCommand() {
    super("drain", "gets no more tasks");
  }

  @Override
  String action() {
    return gone ? "gone" : super.action();
  }

  @Override
  List<String> gpus() {
    return gpus;
  }

  @Override
  List<String> query() {
    List<String> parts = new ArrayList<>();
    if (move && !gone) {
      parts.add("move=1");
    }
    if (reason != null) {
      parts.add("reason=" + RestClient.encode(reason));
    }
    return parts;
  }

  @Override
  public Integer call() throws Exception {
    if (gone && !gpus.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--gone is about a whole node, and --gpu about a part of one");
    }
    return super.call();
  }

  @Override
  String done() {
    if (move && !gone) {
      return "gets no more tasks, and its preemptible ones leave";
    }
    return gone ? "is gone, and its attempts have ended" : super.done();
  }
}
