package io.remuda.coordinator.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
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
}
