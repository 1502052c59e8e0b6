package io.remuda.coordinator.cli.manual;

import io.remuda.worker.job.PlacementPolicy;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Fills the script {@code completion.bash} with the commands and their options.
 *
 * <p>Replaces picocli's script, which treats every word that is the name of a command as the
 * command, as in {@code remuda run -- make wait}, and does not complete files of a user's command.
 */
final class CompletionScriptGenerator {

  /** Commands that change jobs, which jobs that have ended do not need. */
  private static final Set<String> UNFINISHED =
      Set.of("cancel", "signal", "hold", "release", "requeue");

  /** Commands about a user that is there already. */
  private static final Set<String> OF_USERS = Set.of("user remove", "user renew", "user limit");

  private CompletionScriptGenerator() {}

  static String script(CommandSpec root, List<CommandSpec> commands) {
    return template()
        .replace("@NAME@", root.name())
        .replace("@COMMANDS@", cases(commands, CompletionScriptGenerator::subcommands))
        .replace("@ALIASES@", aliases(root))
        .replace("@OPTIONS@", cases(commands, CompletionScriptGenerator::options))
        .replace("@VALUES@", values(commands))
        .replace("@ARGUMENTS@", arguments(commands));
  }

  private static String template() {
    try (InputStream in = CompletionScriptGenerator.class.getResourceAsStream("/completion.bash")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the name of a command in the script: its words after the first. */
  private static String path(CommandSpec command) {
    return command.parent() == null ? "" : (path(command.parent()) + " " + command.name()).trim();
  }

  private static String cases(List<CommandSpec> commands, Function<CommandSpec, String> words) {
    return commands.stream()
        .filter(command -> !words.apply(command).isEmpty())
        .map(command -> "    '" + path(command) + "') echo '" + words.apply(command) + "' ;;")
        .collect(Collectors.joining("\n"));
  }

  private static String subcommands(CommandSpec command) {
    return command.subcommands().values().stream()
        .distinct()
        .filter(below -> !below.getCommandSpec().usageMessage().hidden())
        .map(CommandLine::getCommandName)
        .collect(Collectors.joining(" "));
  }

  private static String aliases(CommandSpec root) {
    return root.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .distinct()
        .filter(command -> command.aliases().length > 0)
        .map(
            command ->
                "    " + String.join(" | ", command.aliases()) + ") echo " + command.name() + " ;;")
        .collect(Collectors.joining("\n"));
  }

  private static Stream<OptionSpec> visible(CommandSpec command) {
    return command.options().stream().filter(option -> !option.hidden());
  }

  private static String options(CommandSpec command) {
    return visible(command)
        .flatMap(option -> Arrays.stream(option.names()))
        .collect(Collectors.joining(" "));
  }

  /** Returns how the values of options are completed; leaves out options without a value. */
  private static String values(List<CommandSpec> commands) {
    return commands.stream()
        .flatMap(
            command ->
                visible(command)
                    .filter(option -> option.arity().max() > 0)
                    .map(option -> value(command, option)))
        .collect(Collectors.joining("\n"));
  }

  private static String value(CommandSpec command, OptionSpec option) {
    String patterns =
        Arrays.stream(option.names())
            .map(name -> "'" + path(command) + " " + name + "'")
            .collect(Collectors.joining(" | "));
    return "    " + patterns + ") echo '" + kind(command, option) + "' ;;";
  }

  private static String kind(CommandSpec command, ArgSpec argument) {
    if (argument.paramLabel().equals("POLICY")) {
      return Arrays.stream(PlacementPolicy.values())
          .map(PlacementPolicy::toString)
          .collect(Collectors.joining(" "));
    } else if (argument.paramLabel().equals("DIR")) {
      return "@folders";
    }
    return known(command, argument).orElseGet(() -> isFile(argument) ? "@files" : "@nothing");
  }

  /** Returns what the server is asked for. */
  private static Optional<String> known(CommandSpec command, ArgSpec argument) {
    boolean option = argument instanceof OptionSpec;
    String name = option ? ((OptionSpec) argument).longestName() : "";
    boolean node = argument.paramLabel().equals("NODE") && !name.equals("--name");
    if (argument.paramLabel().startsWith("JOB")) {
      return Optional.of(UNFINISHED.contains(command.name()) ? "@jobs" : "@all-jobs");
    } else if (node || name.equals("--node") || name.equals("--exclude")) {
      return Optional.of("@nodes");
    } else if (name.equals("--user") || (!option && OF_USERS.contains(path(command)))) {
      return Optional.of("@users");
    }
    return Optional.empty();
  }

  private static boolean isFile(ArgSpec argument) {
    return argument.type() == Path.class
        || argument.type() == File.class
        || argument.paramLabel().startsWith("FILE");
  }

  /** Returns how words that are not options are completed; all of them as the first. */
  private static String arguments(List<CommandSpec> commands) {
    return commands.stream()
        .filter(command -> !command.positionalParameters().isEmpty())
        .map(command -> "    '" + path(command) + "') echo '" + argument(command) + "' ;;")
        .collect(Collectors.joining("\n"));
  }

  private static String argument(CommandSpec command) {
    PositionalParamSpec first = command.positionalParameters().get(0);
    if (first.paramLabel().startsWith("CMD")) {
      return "@command";
    } else if (first.paramLabel().equals("COMMAND")) {
      return subcommands(command.root());
    }
    return kind(command, first);
  }
}
