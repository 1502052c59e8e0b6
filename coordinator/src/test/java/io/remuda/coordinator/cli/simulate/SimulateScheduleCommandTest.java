package io.remuda.coordinator.cli.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.coordinator.main.RemudaProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateScheduleCommandTest {

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void writeTables() throws IOException {
    Files.writeString(folder.resolve("c.csv"), "node,gpus\na,8\n");
    Files.writeString(
        folder.resolve("t.csv"),
        "id,arrival_s,duration_s,gpus,gpu_mem_mib,user\n"
            + "long,0.5,1000,8,,ann\nshort,100,10,8,,bob\n");
  }

  private int run(String... more) {
    List<String> arguments =
        Stream.concat(
                Stream.of("simulate", "schedule", "--cluster", "c.csv", "--trace"), Stream.of(more))
            .toList();
    return RemudaProgram.run(
        arguments,
        Map.of("HOME", folder.toString()),
        folder,
        null,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private List<String> printed() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void each_event_is_a_line_with_its_time() {
    assertEquals(0, run("t.csv", "--durations", "known", "--save", "1", "--restore", "2.5"));
    assertEquals(
        List.of(
            "time_s,job,event,nodes,gpus",
            "0.500,long,start,a:8,8",
            "100.000,long,preempt,,8",
            "100.000,short,start,a:8,8",
            "110.000,short,finish,,8",
            "110.000,long,start,a:8,8",
            "1014.000,long,finish,,8"), // 1000 - 98.5 s are left, and 2.5 s to restore
        printed());
    assertEquals("", err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void policies_are_compared_in_a_table_and_as_json() throws IOException {
    assertEquals(0, run("t.csv", "--compare", "fifo,shortest", "--durations", "known"));
    assertEquals(4, printed().size());
    assertTrue(printed().get(1).matches("fifo +95[0-9] .*"), printed().get(1));
    assertTrue(printed().get(2).startsWith("shortest "), printed().get(2));
    out.reset();
    assertEquals(0, run("t.csv", "--compare", "fifo,shortest", "--durations", "known", "--json"));
    JsonNode rows = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
    assertEquals("shortest", rows.get(1).get("policy").asText());
    assertEquals(1, rows.get(1).get("preemptions").asInt());
  }

  @Test
  void how_many_shown_starts_held_is_said_too() throws IOException {
    StringBuilder trace = new StringBuilder("id,arrival_s,duration_s,gpus,gpu_mem_mib,user\n");
    for (int job = 0; job < 100; job++) {
      trace.append("j" + job + "," + job * 90 + ",100,8,,ann\n");
    }
    Files.writeString(folder.resolve("queue.csv"), trace);
    assertEquals(0, run("queue.csv", "--compare", "fair", "--starts", "--json"));
    JsonNode starts =
        new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8)).get(0).get("starts");
    assertEquals(100, starts.get("jobs").asInt());
    assertEquals(1, starts.get("atOnce").asInt(), "the others wait for the one before");
    assertTrue(starts.get("nearOfTold").asDouble() > 0.9, "all take equally long: " + starts);
    assertTrue(starts.get("held").asDouble() > 0.9, starts.toString());
    out.reset();
    assertEquals(0, run("queue.csv", "--compare", "fair", "--starts"));
    assertTrue(printed().get(4).startsWith("POLICY  JOBS  AT ONCE"), printed().get(4));
  }

  @Test
  void what_is_wrong_is_said_before_anything_is_printed() {
    assertEquals(2, run("none.csv"));
    assertEquals(2, run("t.csv", "--policy", "best"));
    assertEquals(2, run("t.csv", "--policy", "fifo", "--compare", "fifo"));
    assertEquals(2, run("t.csv", "--durations", "maybe"));
    assertEquals(2, run("t.csv", "--save", "-1"));
    assertEquals(2, run("t.csv", "--json"));
    assertEquals(2, run("t.csv", "--starts"));
    String errors = err.toString(StandardCharsets.UTF_8);
    assertTrue(errors.contains("remuda: none.csv: there is no such file"), errors);
    assertTrue(errors.contains("--policy must be one of fifo, backfill, fair, "), errors);
    assertTrue(errors.contains("give --policy or --compare, not both"), errors);
    assertTrue(errors.contains("--durations must be known or unknown, got 'maybe'"), errors);
    assertTrue(errors.contains("--save must be from 0 to 1000000 seconds, got -1.0"), errors);
    assertTrue(errors.contains("--json is for --compare; give both"), errors);
    assertTrue(errors.contains("--starts is for --compare; give both"), errors);
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }
}
