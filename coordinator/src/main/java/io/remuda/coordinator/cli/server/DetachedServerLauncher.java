package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.OwnProcess;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.coordinator.client.NodeJoinWait;
import io.remuda.coordinator.client.RestClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Starts a server that outlives this process, its terminal and its ssh session, and waits until it
 * is ready: the server closes the pipe then that it prints its first lines into. Then it waits for
 * the server's own node, if it has one.
 */
public final class DetachedServerLauncher {

  private static final int FAILURE = 1;

  private static final Duration LONGEST_JOIN = Duration.ofSeconds(15);

  private final Caller caller;
  private final Path home;
  private final Path log;
  private final PrintWriter out;
  private final PrintWriter err;

  private DetachedServerLauncher(Caller caller, CommandLine command) {
    this.caller = caller;
    this.home = caller.paths().state();
    this.log = home.resolve(BackgroundOptions.LOG);
    this.out = command.getOut();
    this.err = command.getErr();
  }

  /**
   * Starts a server and returns the exit code of this command.
   *
   * @param caller whose state folder, environment and working folder the server has
   * @param node name of the server's own node; empty if it has none, or not at once
   * @param command {@code serve}, whose options the server gets as they were typed
   */
  public static int start(Caller caller, Optional<String> node, CommandLine command)
      throws IOException, InterruptedException {
    FolderOwnershipCheck.create(caller.paths().state());
    DetachedServerLauncher server = new DetachedServerLauncher(caller, command);
    int code = server.start(typed(command.getCommandSpec()));
    if (code == 0 && node.isPresent()) {
      server.awaitNode(node.get());
    }
    return code;
  }

  /** Returns the command line of such a server. */
  static List<String> command(Path program, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("serve");
    command.add(BackgroundOptions.DETACHED);
    options.stream().filter(word -> !word.equals(BackgroundOptions.DETACH)).forEach(command::add);
    return command;
  }

  private int start(List<String> options) throws IOException, InterruptedException {
    long before = Files.exists(log) ? Files.size(log) : 0;
    Process server = launch(options);
    Thread giveUp = new Thread(server::destroy, "give-up"); // Ctrl-C while this waits
    caller.process().addShutdownHook(giveUp);
    List<String> lines = readAll(server);
    if (lines.isEmpty()) {
      return failed(server, before);
    }
    caller.process().removeShutdownHook(giveUp);
    lines.forEach(out::println);
    out.println("process " + server.pid() + ", log " + log);
    out.flush();
    return 0;
  }

  /** Waits for the node, which shows at once then; the server serves without it, too. */
  private void awaitNode(String node) throws IOException, InterruptedException {
    try (RestClient server = RestClient.of(home)) {
      if (!NodeJoinWait.await(server, node, LONGEST_JOIN)) {
        err.println(
            "remuda: its own node " + node + " has not joined yet: see remuda nodes, and " + log);
        err.flush();
      }
    }
  }

  private Process launch(List<String> options) throws IOException {
    Path program = Distribution.locate().home().resolve("bin").resolve("remuda");
    ProcessBuilder builder = new ProcessBuilder(command(program, options));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    caller.passTo(builder);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    OwnProcess.restoreLocale(builder.environment());
    return builder.start();
  }

  private static List<String> readAll(Process server) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    }
  }

  /** Shows what the server wrote before it ended. */
  /** Returns the words behind the command. */
  private static List<String> typed(CommandSpec command) {
    List<String> all = command.root().commandLine().getParseResult().originalArgs();
    return all.subList(all.indexOf(command.name()) + 1, all.size());
  }

  private int failed(Process server, long before) throws IOException, InterruptedException {
    int code = server.waitFor();
    byte[] all = Files.readAllBytes(log);
    int from = before <= all.length ? (int) before : 0;
    err.print(new String(all, from, all.length - from, StandardCharsets.UTF_8));
    err.flush();
    return code == 0 ? FAILURE : code;
  }
}
