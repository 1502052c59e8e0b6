package io.remuda.coordinator.cli.manual;

import io.remuda.agent.commandline.CommandExamples;
import io.remuda.agent.main.AgentMain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** The {@code share} folder of a release: a man page for each command, and shell completion. */
public final class ManualAndCompletionWriter {

  /** The examples of the commands. */
  public static final String EXAMPLES = "/examples.txt";

  private final Map<String, List<CommandExamples.Example>> examples = new HashMap<>();

  private final CommandSpec root;
  private final List<CommandSpec> commands = new ArrayList<>();

  /** Collects a command and all subcommands. */
  public ManualAndCompletionWriter(CommandSpec root) {
    this.root = root;
    collect(root);
    examples.putAll(CommandExamples.read(ManualAndCompletionWriter.class, EXAMPLES));
    examples.putAll(CommandExamples.read(AgentMain.class, AgentMain.EXAMPLES));
  }

  /** Returns all examples by command, as {@code user add}. */
  public Map<String, List<CommandExamples.Example>> examples() {
    return examples;
  }

  private void collect(CommandSpec command) {
    commands.add(command);
    command.subcommands().values().stream()
        .distinct() // a command is there under each of its names
        .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
        .forEach(sub -> collect(sub.getCommandSpec()));
  }

  /** Returns the script that completes command lines in bash and zsh. */
  public String completion() {
    return CompletionScriptGenerator.script(root, commands);
  }

  /**
   * Writes the man pages and the completion script.
   *
   * @param share the folder to write below
   * @param version version of Remuda that the pages name
   */
  public void write(Path share, String version) throws IOException {
    Path pages = Files.createDirectories(share.resolve("man").resolve("man1"));
    for (CommandSpec command : commands) {
      String page =
          new ManPage(command, commands, version)
              .text(examples.getOrDefault(CommandExamples.name(command), List.of()));
      Files.write(
          pages.resolve(ManPage.name(command) + ".1"), page.getBytes(StandardCharsets.US_ASCII));
    }
    Path scripts = share.resolve("bash-completion").resolve("completions");
    Files.writeString(Files.createDirectories(scripts).resolve(root.name()), completion());
  }
}
