package io.remuda.coordinator.report.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailureBlocksTest {
  @Test
  void the_last_lines_are_kept() {
    assertEquals("", FailureBlocks.last("\n\n"));
    assertEquals("one\ntwo", FailureBlocks.last("one\ntwo\n"));
    String many =
        IntStream.range(0, 30).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    String last = FailureBlocks.last(many);
    assertTrue(last.startsWith("…\n10\n"), last);
    assertTrue(last.endsWith("\n29"), last);
  }

  @Test
  void a_line_without_end_is_cut() {
    assertEquals(4002, FailureBlocks.last("x".repeat(10_000)).length());
  }
}
