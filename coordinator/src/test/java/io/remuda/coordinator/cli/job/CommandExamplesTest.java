package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.CommandExamples;
import io.remuda.agent.commandline.CommandExamples.Example;
import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.cli.manual.ManualAndCompletionWriter;
import io.remuda.coordinator.rest.request.JobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The examples in helps and man pages, as the real command line reads them. */
class CommandExamplesTest {
  private static final int MOST = 4;
  private static final int WIDTH = 130;
  private static final CommandSpec ROOT = RootCommand.line().getCommandSpec();
  private static final ManualAndCompletionWriter MANUAL = new ManualAndCompletionWriter(ROOT);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

  /** Commands that only stand before others. */
  private static final Set<String> GROUPS = Set.of("user", "store", "service");

  private static Stream<CommandSpec> all(CommandSpec command) {
    return Stream.concat(
        Stream.of(command),
        command.subcommands().values().stream()
            .distinct()
            .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
            .flatMap(sub -> all(sub.getCommandSpec())));
  }

  static Stream<String> lines() {
    return MANUAL.examples().values().stream().flatMap(List::stream).map(Example::line);
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    String command = line.replaceFirst("^source <\\((.*)\\)$", "$1").replaceFirst(" \\| .*", "");
    WORD.matcher(command)
        .results()
        .forEach(word -> words.add(word.group(1) == null ? word.group() : word.group(1)));
    return words;
  }

  @Test
  void every_command_has_examples_and_no_other() {
    Set<String> names = new TreeSet<>();
    all(ROOT).map(CommandExamples::name).forEach(names::add);
    names.removeAll(GROUPS);
    assertEquals(names, new TreeSet<>(MANUAL.examples().keySet()));
    MANUAL
        .examples()
        .forEach((name, some) -> assertTrue(!some.isEmpty() && some.size() <= MOST, name));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void the_command_line_takes_each_of_them(String line) {
    List<String> words = words(line);
    assertEquals("remuda", words.remove(0), line);
    assertTrue(line.length() <= WIDTH, line);
    ParseResult parsed = RootCommand.line().parseArgs(words.toArray(String[]::new));
    ParseResult command = parsed.subcommand();
    CommandLine.Model.CommandSpec job = command.commandSpec().mixins().get("job");
    if (job != null) {
      JobOptions options = (JobOptions) job.userObject();
      JobRequest.of(options.request()).toNewJob("ann", List.of());
    }
  }

  @Test
  void they_belong_to_their_commands() {
    MANUAL
        .examples()
        .forEach(
            (name, some) ->
                some.forEach(
                    one ->
                        assertTrue(
                            name.equals("remuda") || one.line().contains("remuda " + name),
                            () -> name + ": " + one.line())));
  }

  @Test
  void help_ends_with_them() {
    String help = ROOT.subcommands().get("cancel").getUsageMessage();
    assertTrue(
        help.endsWith(
            "  # at once, without the time to save, and say why\n  remuda cancel --now --reason 'wrong data' 12\n"),
        help);
  }
}
