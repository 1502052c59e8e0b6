package io.remuda.coordinator.cli.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Tmux;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bars as they look on a real terminal; the expected screens are in {@code screens/}. */
@Timeout(120)
class BarsIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String UTF_8 = "LC_ALL=C.UTF-8";

  @TempDir private static Path shared;

  /** The demos by their environment and what the shell does with their output. */
  private static final Map<String, Demo> DEMOS = new HashMap<>();

  private Demo demo;
  private Tmux tmux;

  /** A demo that runs in a terminal and follows instructions. */
  private record Demo(Tmux tmux, RandomAccessFile instructions) implements AutoCloseable {
    void tell(String... lines) throws IOException {
      instructions.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
      tmux.close();
      instructions.close();
    }
  }

  @AfterAll
  static void leaveNothing() throws IOException {
    for (Demo one : DEMOS.values()) {
      one.close();
    }
    DEMOS.clear();
  }

  /**
   * Has a demo with an empty console, in a process of its own unless there is one already; {@code
   * more} is what the shell does with its output.
   */
  private void open(int columns, int rows, String environment, String more) throws Exception {
    String kind = environment + " " + more;
    demo = DEMOS.get(kind);
    if (demo == null) {
      demo = start(columns, rows, environment, more);
      DEMOS.put(kind, demo);
      tmux = demo.tmux();
      return;
    }
    tmux = demo.tmux();
    tell("clear;cleared " + columns);
    tmux.awaitText("cleared " + columns, LIMIT);
    tmux.resize(columns, rows);
    tmux.forgetHistory();
    tell("open");
  }

  private static Demo start(int columns, int rows, String environment, String more)
      throws Exception {
    Path folder = Files.createDirectory(shared.resolve("d" + DEMOS.size()));
    Path pipe = folder.resolve("instructions");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    RandomAccessFile instructions =
        new RandomAccessFile(pipe.toFile(), "rw"); // does not wait for its reader
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Tmux tmux =
        Tmux.run(
            folder,
            columns,
            rows,
            String.join(
                " ",
                environment,
                java,
                "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx64m",
                Runtime.version().feature() >= 22 ? "--enable-native-access=ALL-UNNAMED" : "",
                "-cp",
                System.getProperty("java.class.path"),
                BarsDemo.class.getName(),
                pipe.toString(),
                more));
    return new Demo(tmux, instructions);
  }

  private void tell(String... lines) throws IOException {
    demo.tell(lines);
  }

  private void tellOfARun() throws IOException {
    tell(
        "line;Hello from main process pinoak0033.",
        "line;Launching scipy and mnist jobs",
        "sample;pinoak0034;0.17;9;100",
        "sample;pinoak0035;129.7;0;lost",
        "sample;pinoak0036;2.5",
        "work;learning rate 0.5;0.25;2;epoch 1/2 loss 0.5000",
        "work;learning rate 1.5;1;2;loss 0.0568, 98.12 %",
        "work;images;1023;1024;",
        "note;learning rate 1.5: epoch 1/2 loss 0.0568 accuracy 98.12 % (2.5 s)",
        "log;a warning of the log");
  }

  @Test
  void lines_and_bars_at_80_by_24() throws Exception {
    open(80, 24, UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-80x24", LIMIT);
  }

  @Test
  void lines_and_bars_at_200_by_60() throws Exception {
    open(200, 60, UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-200x60", LIMIT);
  }

  @Test
  void bars_follow_the_terminal_to_other_sizes_and_back() throws Exception {
    open(80, 24, UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-80x24", LIMIT);
    tmux.resize(200, 60);
    tmux.awaitScreen("run-200x60", LIMIT);
    tmux.resize(80, 24);
    tmux.awaitScreen("run-80x24", LIMIT);
    tmux.resize(50, 9);
    tmux.awaitScreen("run-50x9", LIMIT);
    tmux.resize(80, 24);
    tmux.awaitScreen("run-80x24", LIMIT);
  }

  @Test
  void what_comes_after_a_new_size_is_drawn_in_its_place() throws Exception {
    open(200, 60, UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-200x60", LIMIT);
    tmux.resize(80, 24);
    tmux.awaitScreen("run-80x24", LIMIT);
    tell("line;after the new size", "sample;pinoak0034;0.18;10;99", "work;images;1024;1024;");
    tmux.awaitScreen("later-80x24", LIMIT);
  }

  @Test
  void lines_scroll_away_above_the_bars_and_none_is_lost() throws Exception {
    open(80, 24, UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-80x24", LIMIT);
    List<String> lines = IntStream.rangeClosed(1, 100).mapToObj(n -> "line " + n).toList();
    for (String line : lines) {
      tell("line;" + line, "sample;pinoak0036;2.5");
    }
    tmux.awaitScreen("scrolled-80x24", LIMIT);
    assertEquals(lines, tmux.history().stream().filter(row -> row.startsWith("line ")).toList());
  }

  @Test
  void without_utf_8_the_bars_are_ascii() throws Exception {
    open(80, 24, "LC_ALL=C", "");
    tellOfARun();
    tmux.awaitScreen("ascii-80x24", LIMIT);
  }

  @Test
  void bars_are_coloured_and_lines_are_not() throws Exception {
    open(80, 24, UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-80x24", LIMIT);
    List<String> rows = tmux.coloured().lines().toList();
    assertTrue(rows.stream().anyMatch(row -> row.contains("|\u001b[36m")), rows::toString);
    assertTrue(rows.stream().anyMatch(row -> row.contains("|\u001b[32m")), rows::toString);
    assertTrue(rows.stream().anyMatch(row -> row.contains("|\u001b[33m")), rows::toString);
    assertTrue(
        rows.stream().noneMatch(row -> row.contains("\u001b") && !row.contains("|")),
        rows::toString);
  }

  @Test
  void with_no_color_there_is_no_colour() throws Exception {
    open(80, 24, "NO_COLOR=1 " + UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-80x24", LIMIT);
    assertFalse(tmux.coloured().contains("\u001b"));
  }

  @Test
  void the_end_takes_the_bars_away_and_leaves_the_lines() throws Exception {
    open(80, 24, UTF_8, "");
    tellOfARun();
    tmux.awaitScreen("run-80x24", LIMIT);
    tell("line;Final test for learning rate 0.5", "end");
    tmux.awaitScreen("end-80x24", LIMIT);
  }

  @Test
  void into_a_pipe_every_sample_is_a_plain_line() throws Exception {
    open(100, 24, UTF_8, "2>/dev/null | cat");
    tellOfARun();
    tell("sample;pinoak0034;0.18;10;99", "line;Final test for learning rate 0.5");
    tmux.awaitScreen("piped-100x24", LIMIT);
    assertFalse(tmux.coloured().contains("\u001b"));
  }

  @Test
  void on_a_dumb_terminal_every_sample_is_a_plain_line() throws Exception {
    open(100, 24, "TERM=dumb " + UTF_8, "2>/dev/null");
    tellOfARun();
    tell("sample;pinoak0034;0.18;10;99", "line;Final test for learning rate 0.5");
    tmux.awaitScreen("piped-100x24", LIMIT);
  }
}
