package io.remuda.agent.main;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.CommandExamples;
import io.remuda.agent.commandline.UsageErrorText;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.settings.FatalErrorMessage;
import io.remuda.agent.settings.file.BadSettingsException;
import io.remuda.telemetry.render.PrintableText;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;

/** The command line of {@code node-agent.jar} as a function. */
public final class AgentProgram {

  private AgentProgram() {}

  /** Parses and runs a command line; returns 0, 1 for a failure, 2 for bad usage. */
  public static int run(String[] arguments, Caller caller) {
    CommandLine line =
        new CommandLine(new AgentMain(caller))
            .setOut(new PrintWriter(new OutputStreamWriter(caller.out(), caller.charset()), true))
            .setParameterExceptionHandler(AgentProgram::usageError)
            .setExecutionExceptionHandler(AgentProgram::failure)
            .setCommandName(AgentMain.PROGRAM);
    line.getCommandSpec().version(AgentMain.PROGRAM + " " + BuildVersion.VERSION);
    CommandExamples.show(line, AgentMain.class, AgentMain.EXAMPLES);
    return line.execute(arguments);
  }

  private static int usageError(CommandLine.ParameterException fault, String[] arguments) {
    say(fault.getCommandLine(), UsageErrorText.of(fault, List.of()));
    return CommandLine.ExitCode.USAGE;
  }

  private static int failure(Exception fault, CommandLine line, CommandLine.ParseResult parsed) {
    say(line, FatalErrorMessage.of(fault));
    return fault instanceof BadSettingsException ? CommandLine.ExitCode.USAGE : AgentMain.REFUSED;
  }

  private static void say(CommandLine line, String text) {
    Caller.of(line.getCommandSpec())
        .err()
        .println(AgentMain.PROGRAM + ": " + PrintableText.of(text));
  }
}
