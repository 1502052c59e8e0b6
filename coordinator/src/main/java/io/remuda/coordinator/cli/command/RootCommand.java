package io.remuda.coordinator.cli.command;

import io.remuda.agent.commandline.CalledProgram;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.CommandExamples;
import io.remuda.agent.commandline.OwnProcess;
import io.remuda.agent.commandline.UsageErrorText;
import io.remuda.agent.main.AgentMain;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.settings.FatalErrorMessage;
import io.remuda.agent.settings.NotUtf8Exception;
import io.remuda.agent.settings.file.BadSettingsException;
import io.remuda.coordinator.cli.ensemble.EnsembleLaunch;
import io.remuda.coordinator.cli.ensemble.EnsembleOptions;
import io.remuda.coordinator.cli.manual.ManualAndCompletionWriter;
import io.remuda.coordinator.cli.output.PrintableWriter;
import io.remuda.telemetry.render.PrintableText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Spec;

/** The program: shows its help, or runs the ensemble if one of its options is given. */
@Command(
    name = "remuda",
    description = {
      "Runs GPU and CPU jobs on one machine or hundreds, from a queue that survives the death of"
          + " each of its parts.",
      "Give a command; remuda help COMMAND tells more. Options without a command run the ensemble,"
          + " a SciPy and MNIST test with telemetry."
    },
    mixinStandardHelpOptions = true,
    customSynopsis = {"remuda COMMAND [OPTIONS] [ARGUMENTS]", "  or:  remuda ensemble [OPTIONS]"},
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:something failed, or this machine lacks something",
      "2:bad usage, or a job that can never run",
      "3:no server answers; remuda doctor has a warning",
      "4:another server has the state folder",
      "124:the time of remuda wait --timeout has passed",
      "130:Ctrl-C",
      "141:the output was closed",
      "143:SIGTERM"
    },
    sortOptions = false)
public final class RootCommand implements Callable<Integer>, CalledProgram {

  private static final int FAILURE = 1;

  /** The sections of the program's help: what most users look for is above. */
  private static final List<String> COMMANDS_FIRST =
      List.of(
          UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION,
          UsageMessageSpec.SECTION_KEY_FOOTER,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST,
          UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST);

  private final Caller caller;

  @Spec private CommandSpec spec;
  @Mixin private EnsembleOptions options;

  private RootCommand(Caller caller) {
    this.caller = caller;
  }

  /**
   * Parses and runs the command line of this process; returns 0, 1 for a failure, 2 for bad usage.
   */
  public static int execute(String[] arguments) {
    Caller caller = new OwnProcess();
    String[] typed;
    try {
      typed = OwnProcess.arguments(arguments);
    } catch (NotUtf8Exception refused) {
      caller.err().println("remuda: " + PrintableText.of(refused.getMessage()));
      return CommandLine.ExitCode.USAGE;
    }
    return execute(typed, caller);
  }

  /** Parses and runs a command line; returns 0, 1 for a failure, 2 for bad usage. */
  public static int execute(String[] arguments, Caller caller) {
    return line(CommandList.of(arguments), caller).execute(arguments);
  }

  /** Returns the command with all subcommands, called by this process. */
  public static CommandLine line() {
    return line(CommandList.all(), new OwnProcess());
  }

  @Override
  public Caller caller() {
    return caller;
  }

  private static CommandLine line(Map<String, Class<?>> below, Caller caller) {
    CommandLine line = new CommandLine(new RootCommand(caller));
    below.forEach(line::addSubcommand);
    line.setOverwrittenOptionsAllowed(true) // the last one counts, as in most commands
        .setExpandAtFiles(false) // @file is a word of the user's command, as in curl -d @file
        .setOut(PrintableWriter.over(caller.out(), caller.charset()))
        .setErr(PrintableWriter.over(caller.err(), caller.charset()))
        .setParameterExceptionHandler(RootCommand::usageError)
        .setExecutionExceptionHandler(RootCommand::failure);
    line.getCommandSpec().version("remuda " + BuildVersion.VERSION);
    line.getCommandSpec()
        .usageMessage()
        .sectionKeys(COMMANDS_FIRST)
        .optionListHeading("%nOptions, which run the ensemble (see remuda ensemble):%n");
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandOverview());
    CommandExamples.show(line, RootCommand.class, ManualAndCompletionWriter.EXAMPLES);
    CommandLine agent = line.getSubcommands().get("agent");
    if (agent != null) {
      CommandExamples.show(agent, AgentMain.class, AgentMain.EXAMPLES);
    }
    return line;
  }

  private static int usageError(CommandLine.ParameterException fault, String[] arguments) {
    String text = UsageErrorText.of(fault, CommandList.names());
    Caller.of(fault.getCommandLine().getCommandSpec())
        .err()
        .println("remuda: " + PrintableText.of(text));
    return CommandLine.ExitCode.USAGE;
  }

  private static int failure(Exception fault, CommandLine line, CommandLine.ParseResult parsed) {
    Caller.of(line.getCommandSpec())
        .err()
        .println("remuda: " + PrintableText.of(FatalErrorMessage.of(fault)));
    if (fault instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    boolean refused = fault instanceof NotUtf8Exception || fault instanceof BadSettingsException;
    return refused ? CommandLine.ExitCode.USAGE : FAILURE;
  }

  @Override
  public Integer call() throws Exception {
    if (spec.commandLine().getParseResult().matchedOptionsSet().isEmpty()) {
      line(CommandList.all(), caller)
          .usage(spec.commandLine().getOut()); // this one may lack the commands
      return CommandLine.ExitCode.OK;
    }
    return new EnsembleLaunch(spec, options).call();
  }

  /** The list of commands in the program's help: each with the first sentence about it. */
  private static final class CommandOverview implements CommandLine.IHelpSectionRenderer {

    private static final int INDENT = 2;
    private static final int GAP = 2;

    @Override
    public String render(Help help) {
      int longest =
          help.subcommands().values().stream().mapToInt(one -> names(one).length()).max().orElse(0);
      int width = help.commandSpec().usageMessage().width();
      int names = INDENT + Math.min(longest, width / 3) + GAP;
      Help.TextTable table =
          Help.TextTable.forColumns(
              help.colorScheme(),
              new Help.Column(names, INDENT, Help.Column.Overflow.SPAN),
              new Help.Column(width - names, 0, Help.Column.Overflow.WRAP));
      help.subcommands()
          .values()
          .forEach(one -> table.addRowValues(names(one), firstSentence(one)));
      return table.toString();
    }

    private static String names(Help command) {
      return String.join(", ", command.commandSpec().names());
    }

    /** Returns the beginning of a description, to its first full stop, colon or semicolon. */
    private static String firstSentence(Help command) {
      return String.join(" ", command.commandSpec().usageMessage().description())
          .split("[.:;]( |$)", 2)[0];
    }
  }
}
