package io.remuda.coordinator.cli.manual;

import io.remuda.agent.main.AgentMain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The {@code share} folder of a release: a man page for each command, and shell completion. */
public final class Manual {

  private static final String AGENT = "agent";

  private final CommandSpec root;
  private final List<CommandSpec> commands = new ArrayList<>();

  /**
   * Collects a command and all subcommands, and {@code remuda agent}, which is a separate program.
   */
  public Manual(CommandSpec root) {
    this.root = root;
    if (!root.subcommands().containsKey(AGENT)) {
      root.addSubcommand(AGENT, CommandSpec.forAnnotatedObject(new AgentMain()).name(AGENT));
    }
    collect(root);
  }

  private void collect(CommandSpec command) {
    commands.add(command);
    command.subcommands().values().stream()
        .distinct() // a command is there under each of its names
        .forEach(sub -> collect(sub.getCommandSpec()));
  }

  /** Returns the script that completes command lines in bash and zsh. */
  public String completion() {
    return Completion.script(root, commands);
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
      String page = new ManPage(command, commands, version).text();
      Files.write(
          pages.resolve(ManPage.name(command) + ".1"), page.getBytes(StandardCharsets.US_ASCII));
    }
    Path scripts = share.resolve("bash-completion").resolve("completions");
    Files.writeString(Files.createDirectories(scripts).resolve(root.name()), completion());
  }
}
