package io.remuda.coordinator.cli.remote;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.client.ShellQuoting;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The shell of another machine, by ssh. A script and its arguments are single words to the shell
 * there, whatever characters they have.
 *
 * @param host as ssh knows it
 * @param options of ssh
 * @param caller whose ssh it is
 */
record RemoteShell(String host, List<String> options, Caller caller) {

  RemoteShell {
    options = List.copyOf(options);
    if (host.isBlank() || host.startsWith("-")) {
      throw new IllegalArgumentException("--ssh: '" + host + "' is not a host");
    }
  }

  /** Returns the local command line that runs a script there. */
  List<String> command(String script, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("ssh"));
    command.addAll(options);
    command.addAll(List.of("--", host));
    List<String> words = new ArrayList<>(List.of("sh", "-c", script, "remuda"));
    words.addAll(arguments);
    command.add(words.stream().map(ShellQuoting::quoted).collect(Collectors.joining(" ")));
    return command;
  }

  /** Returns what starts a program of the caller. */
  ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    caller.passTo(builder);
    return builder;
  }

  /**
   * Runs a script there and returns what it prints.
   *
   * @param input its standard input
   * @throws IOException with its last words if it fails
   */
  String run(String script, List<String> arguments, byte[] input)
      throws IOException, InterruptedException {
    Process ssh = builder(command(script, arguments)).start();
    Words errors = Words.of(ssh.getErrorStream());
    try (var in = ssh.getOutputStream()) {
      in.write(input);
    } catch (IOException closed) {
      errors.add(""); // it has ended; its words say why
    }
    String out = new String(ssh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return checked(ssh, out, errors);
  }

  /** Runs a script there with the output of a local command as its input. */
  String pipe(List<String> local, Path folder, String script, List<String> arguments)
      throws IOException, InterruptedException {
    List<Process> both =
        ProcessBuilder.startPipeline(
            List.of(
                builder(local).directory(folder.toFile()), builder(command(script, arguments))));
    Words localErrors = Words.of(both.get(0).getErrorStream());
    Words errors = Words.of(both.get(1).getErrorStream());
    String out = new String(both.get(1).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String text = checked(both.get(1), out, errors);
    if (both.get(0).waitFor() != 0) {
      throw new IOException(local.get(0) + ": " + localErrors.last());
    }
    return text;
  }

  private String checked(Process ssh, String out, Words errors)
      throws IOException, InterruptedException {
    if (ssh.waitFor() != 0) {
      throw new IOException(errors.last().isEmpty() ? out.strip() : errors.last());
    }
    return out;
  }

  /** What a process prints on stderr, read by a thread of its own. */
  private static final class Words {
    private final StringBuilder text = new StringBuilder();
    private Thread reader;

    private static Words of(InputStream stream) {
      Words words = new Words();
      words.reader = DaemonThread.start("ssh-errors", () -> words.read(stream));
      return words;
    }

    private void read(InputStream stream) {
      try {
        add(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException closed) {
        add(closed.getMessage());
      }
    }

    private synchronized void add(String more) {
      text.append(more);
    }

    private String last() throws InterruptedException {
      reader.join();
      synchronized (this) {
        return text.toString().strip().replace("\n", "; ");
      }
    }
  }
}
