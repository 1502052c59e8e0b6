package io.remuda.coordinator.cli.manual;

import io.remuda.agent.commandline.CommandExamples.Example;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The man page of one command, as roff in ASCII. */
final class ManPage {

  private static final String SECTION = "(1)";

  private final CommandSpec command;
  private final List<CommandSpec> all;
  private final String version;
  private final StringBuilder page = new StringBuilder();

  ManPage(CommandSpec command, List<CommandSpec> all, String version) {
    this.command = command;
    this.all = all;
    this.version = version;
  }

  /** Returns the name of a command's page, such as {@code remuda-user-add}. */
  static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /**
   * Returns the page.
   *
   * @param examples those of the command
   */
  String text(List<Example> examples) {
    String title = name(command).toUpperCase(Locale.ROOT);
    line(".TH " + plain(title) + " 1 \"\" \"Remuda " + plain(version) + "\" \"Remuda\"");
    heading("NAME");
    line(plain(name(command)) + " \\- " + plain(summary(command)));
    heading("SYNOPSIS");
    line(synopsis());
    heading("DESCRIPTION");
    text(command.usageMessage().description());
    if (command.aliases().length > 0) {
      text("Other names: " + String.join(", ", command.aliases()) + ".");
    }
    positionals();
    options();
    commands();
    exitCodes();
    examples(examples);
    surroundings();
    return page.toString();
  }

  private void line(String roff) {
    page.append(roff).append('\n');
  }

  private void heading(String title) {
    line(".SH " + title);
  }

  private void text(String... lines) {
    for (String paragraph : formatted(lines)) {
      line(plain(paragraph));
    }
  }

  /** Formats lines as picocli does: {@code %n} and {@code %%} are format specifiers. */
  private static List<String> formatted(String... lines) {
    return Arrays.stream(lines)
        .flatMap(line -> String.format(Locale.ROOT, line).lines())
        .filter(line -> !line.isBlank())
        .toList();
  }

  /** Returns the first sentence of the description, for the NAME section. */
  static String summary(CommandSpec command) {
    String text = formatted(command.usageMessage().description()).get(0);
    String sentence = text.replaceFirst("\\.( .*)?$", "");
    return sentence.matches("[A-Z][a-z]+ .*") // not SciPy
        ? sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1)
        : sentence;
  }

  private String synopsis() {
    String positionals =
        command.positionalParameters().stream()
            .filter(one -> !one.hidden())
            .map(one -> " " + synopsis(one))
            .collect(Collectors.joining());
    return bold(command.qualifiedName(" ")) + " [" + italic("OPTIONS") + "]" + positionals;
  }

  private static String synopsis(PositionalParamSpec one) {
    String label = italic(one.paramLabel()) + (one.arity().max() > 1 ? "..." : "");
    return one.arity().min() == 0 ? "[" + label + "]" : label;
  }

  private void positionals() {
    List<PositionalParamSpec> described =
        command.positionalParameters().stream()
            .filter(one -> !one.hidden() && one.description().length > 0)
            .toList();
    if (!described.isEmpty()) {
      heading("ARGUMENTS");
    }
    for (PositionalParamSpec one : described) {
      entry(italic(one.paramLabel()));
      text(one.description());
    }
  }

  private void options() {
    heading("OPTIONS");
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        entry(option(option));
        text(escaped(option.description()));
      }
    }
  }

  /** Doubles percent signs, of which picocli has made one of two in descriptions of options. */
  private static String[] escaped(String... lines) {
    return Arrays.stream(lines).map(line -> line.replace("%", "%%")).toArray(String[]::new);
  }

  private void entry(String term) {
    line(".TP");
    line(term);
  }

  private static String option(OptionSpec option) {
    String names =
        Arrays.stream(option.names()).map(ManPage::bold).collect(Collectors.joining(", "));
    return option.arity().max() == 0 ? names : names + " " + italic(option.paramLabel());
  }

  private void commands() {
    if (!command.subcommands().isEmpty()) {
      heading("COMMANDS");
    }
    for (CommandSpec sub : all) {
      if (sub.parent() == command) {
        entry(reference(sub));
        line(plain(summary(sub)));
      }
    }
  }

  private static String reference(CommandSpec other) {
    return bold(name(other)) + SECTION;
  }

  private void exitCodes() {
    Map<String, String> codes = command.usageMessage().exitCodeList();
    if (!codes.isEmpty()) {
      heading("EXIT STATUS");
    }
    codes.forEach(
        (code, meaning) -> {
          entry(bold(code));
          text(meaning);
        });
  }

  private void examples(List<Example> examples) {
    if (!examples.isEmpty()) {
      heading("EXAMPLES");
    }
    for (Example one : examples) {
      if (!one.purpose().isEmpty()) {
        entry(plain(one.purpose() + ":"));
      } else {
        line(".br");
      }
      line(bold(one.line()));
    }
  }

  private void surroundings() {
    heading("ENVIRONMENT");
    entry(bold("REMUDA_HOME"));
    line(plain("folder of the server's state and of runs (default: ~/.remuda)"));
    entry(bold("REMUDA_CACHE"));
    line(plain("folder of files that can be created again (default: ~/.cache/remuda)"));
    heading("SEE ALSO");
    line(
        all.stream()
            .filter(other -> other != command)
            .map(ManPage::reference)
            .collect(Collectors.joining(", ")));
  }

  private static String bold(String text) {
    return "\\fB" + plain(text) + "\\fR";
  }

  private static String italic(String text) {
    return "\\fI" + plain(text) + "\\fR";
  }

  /** Escapes text for roff; hyphens stay hyphens, so that options can be copied from a page. */
  static String plain(String text) {
    StringBuilder roff = new StringBuilder();
    text.codePoints().forEach(c -> roff.append(plain(c)));
    return text.startsWith(".") ? "\\&" + roff : roff.toString(); // a leading dot is a request
  }

  private static String plain(int character) {
    return switch (character) {
      case '\\' -> "\\e";
      case '-' -> "\\-";
      case '\'' -> "\\(aq";
      case '`' -> "\\(ga";
      case '^' -> "\\(ha";
      case '~' -> "\\(ti";
      case '"' -> "\\(dq";
      default ->
          character < 0x80
              ? Character.toString(character)
              : String.format(Locale.ROOT, "\\[u%04X]", character);
    };
  }
}
