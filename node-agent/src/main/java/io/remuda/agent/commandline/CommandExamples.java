package io.remuda.agent.commandline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The examples of commands, which their help and man pages show. */
public final class CommandExamples {

  /**
   * An example.
   *
   * @param purpose what it is for; empty if it belongs to the example before
   * @param line what to type
   */
  public record Example(String purpose, String line) {}

  private static final String ROOT = "remuda";

  private CommandExamples() {}

  /**
   * Reads examples.
   *
   * @param owner class beside whose resources the file is
   * @param resource its path
   * @return the examples of each command, such as {@code user add}
   */
  public static Map<String, List<Example>> read(Class<?> owner, String resource) {
    Map<String, List<Example>> examples = new LinkedHashMap<>();
    List<Example> here = new ArrayList<>();
    String purpose = "";
    for (String line : text(owner, resource).lines().toList()) {
      if (line.startsWith("[")) {
        here =
            examples.computeIfAbsent(line.substring(1, line.length() - 1), k -> new ArrayList<>());
      } else if (line.startsWith("# ")) {
        purpose = line.substring(2);
      } else if (!line.isBlank()) {
        here.add(new Example(purpose, line));
        purpose = "";
      }
    }
    return examples;
  }

  private static String text(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the name of a command in the file: its words behind {@code remuda}. */
  public static String name(CommandSpec command) {
    String words = command.qualifiedName(" ");
    return words.startsWith(ROOT + " ") ? words.substring(ROOT.length() + 1) : words;
  }

  /** Lets the help of a command, and of those below it, end with examples; reads them then. */
  public static void show(CommandLine line, Class<?> owner, String resource) {
    line.getHelpSectionMap()
        .put(
            UsageMessageSpec.SECTION_KEY_FOOTER,
            help ->
                section(read(owner, resource).getOrDefault(name(help.commandSpec()), List.of())));
    line.getSubcommands().values().forEach(below -> show(below, owner, resource));
  }

  private static String section(List<Example> examples) {
    if (examples.isEmpty()) {
      return "";
    }
    String newLine = System.lineSeparator();
    return examples.stream()
        .map(
            one ->
                (one.purpose().isEmpty() ? "" : "  # " + one.purpose() + newLine)
                    + "  "
                    + one.line()
                    + newLine)
        .collect(Collectors.joining("", newLine + "Examples:" + newLine, ""));
  }
}
