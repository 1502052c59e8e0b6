package io.remuda.coordinator.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.command.RootCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManPageTest {
  private static final CommandSpec ROOT = RootCommand.line().getCommandSpec();

  @TempDir private static Path share;

  @BeforeAll
  static void write() throws IOException {
    new ManualAndCompletionWriter(ROOT).write(share, "1.2.3");
  }

  private static Stream<CommandSpec> all(CommandSpec command) {
    return Stream.concat(
        Stream.of(command),
        command.subcommands().values().stream()
            .distinct()
            .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
            .flatMap(sub -> all(sub.getCommandSpec())));
  }

  static Stream<String> commands() {
    return all(ROOT).map(command -> command.qualifiedName(" "));
  }

  private static CommandSpec command(String name) {
    return all(ROOT).filter(one -> one.qualifiedName(" ").equals(name)).findFirst().orElseThrow();
  }

  private static Path file(String command) {
    return share.resolve("man/man1").resolve(command.replace(' ', '-') + ".1");
  }

  private static String page(String command) throws IOException {
    return Files.readString(file(command), StandardCharsets.US_ASCII);
  }

  @Test
  void every_command_has_a_page_and_no_other() throws IOException {
    try (Stream<Path> files = Files.list(share.resolve("man/man1"))) {
      assertEquals(
          commands().map(name -> name.replace(' ', '-') + ".1").collect(Collectors.toSet()),
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
    }
    assertTrue(commands().anyMatch("remuda user add"::equals));
    assertTrue(commands().anyMatch("remuda agent"::equals));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_page_names_each_option_and_its_value(String name) throws IOException {
    Set<String> lines = page(name).lines().collect(Collectors.toCollection(TreeSet::new));
    for (OptionSpec option : command(name).options()) {
      String all =
          Stream.of(option.names())
              .map(one -> "\\fB" + one.replace("-", "\\-") + "\\fR")
              .collect(Collectors.joining(", "));
      String entry =
          option.arity().max() == 0
              ? all
              : all + " \\fI" + option.paramLabel().replace("-", "\\-") + "\\fR";
      assertEquals(!option.hidden(), lines.contains(entry), entry + " in " + lines);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_page_holds_no_request_but_those_that_are_meant(String name) throws IOException {
    assertEquals(
        Set.of(),
        page(name)
            .lines()
            .filter(line -> line.startsWith(".") || line.startsWith("'"))
            .filter(line -> !line.matches("\\.TH .*|\\.SH [A-Z ]+|\\.TP|\\.br"))
            .collect(Collectors.toSet()));
  }

  @Test
  void a_page_has_the_examples_of_its_command() throws IOException {
    assertTrue(
        page("remuda user add").contains(".SH EXAMPLES\n.TP\nann may submit;"),
        page("remuda user add"));
    assertTrue(page("remuda agent").contains("\n\\fBremuda agent \\-\\-join access.json\\fR\n"));
  }

  @Test
  void a_page_begins_as_whatis_reads_it() throws IOException {
    assertTrue(
        page("remuda cancel")
            .startsWith(
                """
                .TH REMUDA\\-CANCEL 1 "" "Remuda 1.2.3" "Remuda"
                .SH NAME
                remuda\\-cancel \\- cancels jobs: waiting tasks at once, running tasks with SIGTERM\
                 and, after their grace, SIGKILL
                .SH SYNOPSIS
                \\fBremuda cancel\\fR [\\fIOPTIONS\\fR] [\\fIJOB\\fR...]
                """),
        page("remuda cancel"));
    assertTrue(
        page("remuda")
            .contains(
                "\nremuda \\- runs GPU and CPU jobs on one machine or hundreds, from a queue that"
                    + " survives the death of each of its parts\n"));
  }

  @Test
  void a_page_says_what_exit_codes_mean() throws IOException {
    assertTrue(
        page("remuda state").contains(".SH EXIT STATUS\n.TP\n\\fB0\\fR\nsuccess\n"),
        page("remuda state"));
    assertTrue(page("remuda run").contains("the exit code of the job"), page("remuda run"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "--gpu-mem, \\-\\-gpu\\-mem",
        ".profile, \\&.profile",
        "'a', \\(aqa\\(aq",
        "a\\b, a\\eb",
        "~/x^2, \\(ti/x\\(ha2",
        "\u00fcber, \\[u00FC]ber",
        "\ud83d\ude00, \\[u1F600]"
      })
  void text_is_shown_as_it_is(String text, String roff) {
    assertEquals(roff, ManPage.plain(text));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void groff_has_nothing_to_say(String name) throws Exception {
    assertTrue(
        Stream.of(System.getenv("PATH").split(":")).anyMatch(dir -> isThere(dir, "groff")),
        "there is no groff: ./check installs it");
    Process groff =
        new ProcessBuilder("groff", "-man", "-ww", "-z", "-Tascii", file(name).toString())
            .redirectErrorStream(true)
            .start();
    assertEquals("", new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    assertEquals(0, groff.waitFor());
  }

  private static boolean isThere(String folder, String program) {
    return Files.isExecutable(Path.of(folder, program));
  }
}
