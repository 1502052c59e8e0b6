package io.remuda.coordinator.cli.node;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts tasks on a drained node, or on drained GPUs of it, again. */
@Command(
    name = "resume",
    description =
        "Starts tasks on a drained node again, except on GPUs that were drained for themselves, or"
            + " with --gpu on these.")
public final class ResumeCommand extends NodeActionCommand {

  @Option(
      names = "--gpu",
      paramLabel = "GPU",
      split = ",",
      description = "only these GPUs, by number or UUID, separated by commas")
  private List<String> gpus = new ArrayList<>();

  ResumeCommand() {
    super("resume", "gets tasks again");
  }

  @Override
  List<String> gpus() {
    return gpus;
  }
}
