package io.remuda.coordinator.cli.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Manages where the state of the job service is. */
@Command(
    name = "store",
    description = "Brings the state of the job service into another database.",
    mixinStandardHelpOptions = true,
    subcommands = StoreCopyCommand.class)
public final class StoreCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "give a command: remuda store copy --from STATE --to STATE");
  }
}
