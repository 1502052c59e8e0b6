package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** A real terminal emulator without a window: a tmux server of its own, with one pane. */
public final class Tmux implements AutoCloseable {

  private static final long COMMAND_SECONDS = 20;

  private final Path folder;

  private Tmux(Path folder) {
    this.folder = folder;
  }

  /**
   * A pane of this size that runs a shell script.
   *
   * @param folder for its files and its socket, one folder for each
   */
  public static Tmux run(Path folder, int columns, int rows, String script) {
    Tmux tmux = new Tmux(folder);
    try {
      Path file = Files.writeString(folder.resolve("pane.sh"), script);
      Path settings = Files.writeString(folder.resolve("tmux.conf"), "set -g status off");
      tmux.tell(
          List.of("-f", settings.toString()),
          "new-session",
          "-d",
          "-x",
          String.valueOf(columns),
          "-y",
          String.valueOf(rows),
          "exec sh " + file);
      return tmux;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private String tell(List<String> options, String... words) {
    List<String> command =
        new ArrayList<>(List.of("tmux", "-u", "-S", folder.resolve("socket").toString()));
    command.addAll(options);
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(Tmux::tellsOfTheTerminal);
    builder.environment().put("LC_ALL", "C.UTF-8");
    try {
      Path answer = Files.createTempFile(folder, "tmux", ".out");
      builder.redirectOutput(answer.toFile());
      Process process = start(builder);
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(command + " did not end");
      }
      String text = Files.readString(answer);
      if (process.exitValue() != 0) {
        throw new AssertionError(command + " failed: " + text);
      }
      return text;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", stop);
    }
  }

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException missing) {
      throw new AssertionError("tmux is missing: apt-get install tmux", missing);
    }
  }

  private static boolean tellsOfTheTerminal(String variable) {
    return List.of("NO_COLOR", "TMUX", "LANG").contains(variable) || variable.startsWith("LC_");
  }

  /** Gives the pane another size. */
  public void resize(int columns, int rows) {
    tell(List.of(), "resize-window", "-x", String.valueOf(columns), "-y", String.valueOf(rows));
  }

  /** Presses keys, by tmux's names for them. */
  public void press(String... keys) {
    List<String> words = new ArrayList<>(List.of("send-keys"));
    words.addAll(List.of(keys));
    tell(List.of(), words.toArray(String[]::new));
  }

  /** Forgets the lines that have left the pane. */
  public void forgetHistory() {
    tell(List.of(), "clear-history");
  }

  /** What the pane shows. */
  public String screen() {
    return tell(List.of(), "capture-pane", "-p").stripTrailing();
  }

  /** What the pane shows, with the sequences for its colours. */
  public String coloured() {
    return tell(List.of(), "capture-pane", "-p", "-e").stripTrailing();
  }

  /** All that the pane has shown and not taken back, from the first row on. */
  public List<String> history() {
    return tell(List.of(), "capture-pane", "-p", "-S", "-").stripTrailing().lines().toList();
  }

  /** Waits until the pane shows exactly what is in the file {@code screens/NAME.txt}. */
  public void awaitScreen(String name, Duration limit) {
    String expected = expected(name);
    String last = await(limit, expected::equals);
    if (!last.equals(expected)) {
      throw new AssertionError(
          "expected screens/" + name + ".txt:\n" + expected + "\n\nthe terminal shows:\n" + last);
    }
  }

  /** Waits until the pane shows such a text. */
  public void awaitText(String part, Duration limit) {
    String last = await(limit, screen -> screen.contains(part));
    if (!last.contains(part)) {
      throw new AssertionError("expected: " + part + "\n\nthe terminal shows:\n" + last);
    }
  }

  private String await(Duration limit, Predicate<String> wanted) {
    String[] last = new String[1];
    try {
      SparingLooks.within(limit)
          .until(
              () -> {
                last[0] = screen();
                return wanted.test(last[0]);
              });
    } catch (ConditionTimeoutException late) {
      // the caller shows what it has got
    }
    return last[0];
  }

  private static String expected(String name) {
    try (InputStream file = Tmux.class.getResourceAsStream("/screens/" + name + ".txt")) {
      if (file == null) {
        return "(no such file)";
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Ends the server, unless it has ended, and with it what runs in the pane. */
  @Override
  public void close() {
    tell(List.of(), "start-server", ";", "kill-server");
  }
}
