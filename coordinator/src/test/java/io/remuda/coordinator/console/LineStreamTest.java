package io.remuda.coordinator.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineStreamTest {
  private final List<String> lines = new ArrayList<>();
  private final PrintStream stream = LineStream.to(lines::add);

  @Test
  void a_line_goes_on_once_it_is_complete() {
    stream.print("half ");
    stream.flush();
    assertEquals(List.of(), lines);
    stream.print("a line\nand");
    assertEquals(List.of("half a line"), lines);
    stream.println(" more");
    assertEquals(List.of("half a line", "and more"), lines);
  }

  @Test
  void several_lines_at_once_are_several_lines() {
    stream.print("one\n\ntwo\n");
    assertEquals(List.of("one", "", "two"), lines);
  }

  @Test
  void a_character_may_come_in_pieces() {
    for (byte one : "█ ä\n".getBytes(StandardCharsets.UTF_8)) {
      stream.write(one);
      stream.flush();
    }
    assertEquals(List.of("█ ä"), lines);
  }

  @Test
  void a_stack_trace_is_a_line_for_each_frame() {
    IllegalStateException fault = new IllegalStateException("broken");
    fault.printStackTrace(stream);
    assertEquals("java.lang.IllegalStateException: broken", lines.get(0));
    assertEquals(1 + fault.getStackTrace().length, lines.size());
  }
}
