package io.remuda.coordinator.cli.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.main.RemudaProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateShareCommandTest {

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String input, String... options) {
    return RemudaProgram.run(
        Stream.concat(Stream.of("simulate", "share"), Stream.of(options)).toList(),
        Map.of("HOME", folder.toString()),
        folder,
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @Test
  void each_event_is_answered_with_a_line() {
    String input =
        """
        {"t":0,"event":"cluster","nodes":[{"node":"n","gpus":2,"gpu_mem_mib":40960}]}
        {"t":5,"event":"arrival","job":"a","gpus":2,"user":"u"}
        """;
    assertEquals(0, run(input));
    assertEquals(
        List.of("{\"start\":[]}", "{\"start\":[{\"job\":\"a\",\"node\":\"n\",\"gpus\":[0,1]}]}"),
        out.toString(StandardCharsets.UTF_8).lines().toList());
    assertEquals("", err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void bad_events_and_options_end_with_exit_code_2_and_the_value() {
    assertEquals(2, run("later\n"));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("stdin:1: it is not JSON"));
    assertEquals(2, run("", "--per-gpu", "1001"));
    assertTrue(
        err.toString(StandardCharsets.UTF_8).contains("--per-gpu must be 0 to 1000, got 1001"));
    assertEquals(2, run("", "--policy", "best"));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("or share, got 'best'"));
  }
}
