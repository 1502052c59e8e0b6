package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.cli.jobfile.JobFileHelp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Shows the help of the program or of one command, as {@code --help} does. */
@Command(
    name = "help",
    description =
        "Shows the help of remuda, of one of its commands, or of the fields of job files:"
            + " help job-file.",
    mixinStandardHelpOptions = true)
final class HelpCommand implements Callable<Integer> {

  private static final String JOB_FILE = "job-file";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "a command, such as submit or user add, or job-file")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (words.equals(List.of(JOB_FILE))) {
      spec.commandLine().getOut().print(JobFileHelp.text(spec.usageMessage().width()));
      spec.commandLine().getOut().flush();
      return CommandLine.ExitCode.OK;
    }
    CommandLine shown = spec.root().commandLine();
    for (String word : words) {
      CommandLine below = shown.getSubcommands().get(word);
      if (below == null) {
        throw new UnmatchedArgumentException(shown, List.of(word));
      }
      shown = below;
    }
    shown.usage(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
    return CommandLine.ExitCode.OK;
  }
}
