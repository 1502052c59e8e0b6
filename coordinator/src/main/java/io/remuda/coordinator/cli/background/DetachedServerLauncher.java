package io.remuda.coordinator.cli.background;

import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.settings.ProcessArgumentsAndEnvironment;
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

/**
 * Starts a server that outlives this process, its terminal and its ssh session, and waits until it
 * is ready: the server closes the pipe then that it prints its first lines into. Then it waits for
 * the server's own node, if it has one.
 */
public final class DetachedServerLauncher {

  private static final int FAILURE = 1;

  private static final Duration LONGEST_JOIN = Duration.ofSeconds(15);

  private final Path home;
  private final Path log;
  private final PrintWriter out;
  private final PrintWriter err;

  private DetachedServerLauncher(Path home, PrintWriter out, PrintWriter err) {
    this.home = home;
    this.log = home.resolve(BackgroundOptions.LOG);
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a server and returns the exit code of this command.
   *
   * @param home the state folder
   * @param options of {@code serve} as they were typed
   * @param node name of the server's own node; empty if it has none, or not at once
   */
  public static int start(
      Path home, List<String> options, Optional<String> node, PrintWriter out, PrintWriter err)
      throws IOException, InterruptedException {
    FolderOwnershipCheck.create(home);
    DetachedServerLauncher server = new DetachedServerLauncher(home, out, err);
    int code = server.start(options);
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
    Runtime.getRuntime().addShutdownHook(giveUp);
    List<String> lines = readAll(server);
    if (lines.isEmpty()) {
      return failed(server, before);
    }
    Runtime.getRuntime().removeShutdownHook(giveUp);
    lines.forEach(out::println);
    out.println("process " + server.pid() + ", log " + log);
    out.flush();
    return 0;
  }

  /** Waits for the node, which shows at once then; the server serves without it, too. */
  private void awaitNode(String node) throws IOException, InterruptedException {
    if (!NodeJoinWait.await(RestClient.of(home), node, LONGEST_JOIN)) {
      err.println(
          "remuda: its own node " + node + " has not joined yet: see remuda nodes, and " + log);
      err.flush();
    }
  }

  private Process launch(List<String> options) throws IOException {
    Path program = Distribution.locate().home().resolve("bin").resolve("remuda");
    ProcessBuilder builder = new ProcessBuilder(command(program, options));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    ProcessArgumentsAndEnvironment.restoreLocale(builder.environment());
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
  private int failed(Process server, long before) throws IOException, InterruptedException {
    int code = server.waitFor();
    byte[] all = Files.readAllBytes(log);
    int from = before <= all.length ? (int) before : 0;
    err.print(new String(all, from, all.length - from, StandardCharsets.UTF_8));
    err.flush();
    return code == 0 ? FAILURE : code;
  }
}
