package io.remuda.coordinator.cli.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

class SimulatePlacementCommandTest {

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void writeTables() throws IOException {
    Files.writeString(
        folder.resolve("n.csv"), "sn,cpu_milli,memory_mib,gpu,model\na,8000,4096,2,A10\n");
    Files.writeString(
        folder.resolve("w.csv"),
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
            + "one,1000,10,1,500,\ntwo,1000,10,2,1000,\nthree,1000,10,1,1000,A10|T4\n");
  }

  private int run(String... more) {
    List<String> arguments =
        Stream.concat(
                Stream.of("simulate", "placement", "--nodes", "n.csv", "--workload"),
                Stream.of(more))
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
  void each_task_is_a_line_with_its_node_and_gpus() {
    assertEquals(0, run("w.csv"));
    assertEquals(List.of("name,node,gpus", "one,a,0", "two,,", "three,a,1"), printed());
    assertEquals("", err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void policies_are_compared_in_a_table() {
    assertEquals(0, run("w.csv", "--compare", "foresight,pack"));
    assertEquals(4, printed().size());
    assertTrue(printed().get(1).matches("foresight .* 75\\.00 % +1 .*"), printed().get(1));
    assertTrue(printed().get(2).startsWith("pack "), printed().get(2));
  }

  @Test
  void what_is_wrong_is_said_before_anything_is_printed() {
    assertEquals(2, run("none.csv"));
    assertEquals(2, run("w.csv", "--policy", "best"));
    assertEquals(2, run("w.csv", "--policy", "fgd", "--compare", "fgd"));
    List<String> lines = err.toString(StandardCharsets.UTF_8).lines().toList();
    assertTrue(lines.get(0).startsWith("remuda: none.csv: there is no such file"), lines.get(0));
    assertTrue(lines.get(1).contains("policy must be round-robin, "), lines.get(1));
    assertTrue(lines.get(1).contains("got 'best'"), lines.get(1));
    assertTrue(lines.get(2).contains("give --policy or --compare, not both"), lines.get(2));
    assertEquals(List.of(), printed());
  }
}
