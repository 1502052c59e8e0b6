package io.remuda.coordinator.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.Help;

/** The list of commands in the program's help: each with the first sentence about it. */
final class CommandOverview implements CommandLine.IHelpSectionRenderer {

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
    help.subcommands().values().forEach(one -> table.addRowValues(names(one), firstSentence(one)));
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
