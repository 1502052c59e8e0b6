package io.remuda.coordinator.console;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Screen;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.render.BarStyle;
import io.remuda.telemetry.render.LabelledBar;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConsoleTest {
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

  private static PrintStream print(OutputStream stream) {
    return new PrintStream(stream, false, StandardCharsets.UTF_8);
  }

  private List<String> lines() {
    return terminal.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** A reader that has stopped until it is let go. */
  private final class Paused extends OutputStream {
    private final CountDownLatch gate = new CountDownLatch(1);

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      try {
        gate.await();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
      terminal.write(bytes, offset, length);
    }
  }

  @Test
  void everything_comes_in_the_order_in_which_it_was_given() {
    PrintStream stream = print(terminal);
    try (Console console = Console.of(stream, stream, stream)) {
      console.line("one");
      console.note("two");
      console.result("three");
      console.report("{}");
      console.line("four");
    }
    assertEquals(List.of("one", "two", "three", "{}", "four"), lines());
  }

  @Test
  void each_kind_goes_to_its_stream() {
    ByteArrayOutputStream notes = new ByteArrayOutputStream();
    ByteArrayOutputStream reports = new ByteArrayOutputStream();
    try (Console console = Console.of(print(terminal), print(notes), print(reports))) {
      console.line("line");
      console.note("note");
      console.report("{}");
      console.result("result");
    }
    assertEquals(List.of("line", "result"), lines());
    assertEquals("note\n", notes.toString(StandardCharsets.UTF_8));
    assertEquals("{}\n", reports.toString(StandardCharsets.UTF_8));
  }

  @Test
  void a_reader_that_stops_holds_up_nobody_and_misses_nothing_if_it_goes_on() {
    Paused paused = new Paused();
    PrintStream stream = print(paused);
    Console console = Console.of(stream, stream, stream);
    IntStream.range(0, 1000).forEach(number -> console.line("line " + number));
    assertEquals(List.of(), lines());
    paused.gate.countDown();
    console.close();
    assertEquals(IntStream.range(0, 1000).mapToObj(n -> "line " + n).toList(), lines());
  }

  @Test
  void a_reader_far_behind_misses_lines_that_are_counted_but_no_result() {
    Paused paused = new Paused();
    PrintStream stream = print(paused);
    Console console = Console.of(stream, stream, stream);
    IntStream.range(0, 10_500).forEach(number -> console.line("line " + number));
    console.result("Final test for learning rate 0.5");
    console.report("{}");
    paused.gate.countDown();
    console.close();
    List<String> lines = lines();
    assertTrue(lines.contains("Final test for learning rate 0.5"));
    assertTrue(lines.contains("{}"));
    String told =
        lines.stream().filter(line -> line.contains("left out")).findFirst().orElseThrow();
    long printed = lines.stream().filter(line -> line.startsWith("line ")).count();
    assertEquals(10_500 - printed + " lines were left out: the reader was too slow", told);
  }

  @Test
  void text_is_written_as_utf_8() {
    try (Console console = Console.of(print(terminal), print(terminal), print(terminal))) {
      console.line("22%|██▏       |");
    }
    assertEquals(List.of("22%|██▏       |"), lines());
  }

  @Test
  void what_is_said_after_the_end_is_dropped_and_no_fault() {
    Console console = Console.of(print(terminal), print(terminal), print(terminal));
    console.line("last");
    console.close();
    console.line("late");
    console.note("late");
    console.result("late");
    console.report("late");
    assertEquals(List.of("last"), lines());
  }

  // ---- telemetry

  private static NodeSample sample(String node, double load) {
    HostSample host = new HostSample(load, 0, 0, null, 4, 1, 1, null);
    return new NodeSample(node, 1, 0, host, List.of());
  }

  private static BarSource work(String text) {
    return lines -> List.of(LabelledBar.words(text));
  }

  private static void awaitScreen(Screen screen, String... rows) {
    await().untilAsserted(() -> assertEquals(List.of(rows), screen.visible()));
  }

  private static LiveScreen on(Screen screen) {
    return new LiveScreen(
        screen.stream(),
        () -> new TerminalStream.Size(screen.columns(), screen.rows()),
        new BarStyle(false, false));
  }

  @Test
  void without_bars_a_sample_is_a_line_among_the_others_and_progress_is_not_shown() {
    try (Console console = Console.of(print(terminal), print(terminal), print(terminal))) {
      assertFalse(console.showsBars());
      console.line("before");
      console.sampled(sample("n1", 0.17));
      console.progress(work("half done"));
      console.sampled(sample("n1", 0.18));
      console.line("after");
    }
    assertEquals(
        List.of(
            "before",
            "nodename: n1 cpu load average 1 minute: 0.17",
            "nodename: n1 cpu load average 1 minute: 0.18",
            "after"),
        lines());
  }

  @Test
  void with_bars_all_lines_appear_above_them_and_stay_when_they_go() {
    Screen screen = new Screen(70, 24);
    try (Console console = Console.live(on(screen), null, null)) {
      assertTrue(console.showsBars());
      console.line("line");
      console.sampled(sample("n1", 0.17));
      console.progress(work("half done"));
      awaitScreen(
          screen, "line", "n1 cpu load avg.:   0%|" + " ".repeat(36) + "| 0.17/100", "half done");
      console.note("note");
      console.report("{}");
      console.sampled(sample("n1", 50));
      console.progress(work("done"));
      console.result("result");
      awaitScreen(
          screen,
          "line",
          "note",
          "{}",
          "result",
          "n1 cpu load avg.:  50%|" + "#".repeat(17) + "5" + " ".repeat(17) + "| 50.00/100",
          "done");
    }
    assertEquals(List.of("line", "note", "{}", "result"), screen.visible());
  }

  @Test
  void with_bars_notes_and_reports_go_to_their_own_streams_if_they_have_some() {
    Screen screen = new Screen(70, 24);
    ByteArrayOutputStream notes = new ByteArrayOutputStream();
    ByteArrayOutputStream reports = new ByteArrayOutputStream();
    try (Console console = Console.live(on(screen), print(notes), print(reports))) {
      console.line("line");
      console.note("note");
      console.report("{}");
      console.result("result");
    }
    assertEquals(List.of("line", "result"), screen.visible());
    assertEquals("note\n", notes.toString(StandardCharsets.UTF_8));
    assertEquals("{}\n", reports.toString(StandardCharsets.UTF_8));
  }

  @Test
  void with_bars_a_new_size_is_noticed_without_anything_new() {
    Screen screen = new Screen(70, 24);
    try (Console console = Console.live(on(screen), null, null)) {
      console.line("line");
      console.progress(work("half done"));
      awaitScreen(screen, "line", "half done");
      screen.resize(30, 10);
      awaitScreen(screen, "line", "half done");
    }
  }

  @Test
  void with_bars_what_is_said_after_the_end_is_dropped_too() {
    Screen screen = new Screen(70, 24);
    Console console = Console.live(on(screen), null, null);
    console.line("last");
    console.close();
    console.line("late");
    console.sampled(sample("n1", 0.17));
    console.progress(work("late"));
    console.close();
    assertEquals(List.of("last"), screen.visible());
  }
}
