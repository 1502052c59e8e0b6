package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.cli.manual.ManualAndCompletionWriter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the script that completes command lines in shells. */
@Command(
    name = "completion",
    description =
        "Prints the script that completes command lines in bash and zsh: source <(remuda"
            + " completion)",
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(new ManualAndCompletionWriter(spec.root()).completion());
    out.flush();
    return CommandLine.ExitCode.OK;
  }
}
