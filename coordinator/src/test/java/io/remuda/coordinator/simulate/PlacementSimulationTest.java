package io.remuda.coordinator.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.job.PlacementPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementSimulationTest {

  private static final String NODES = "sn,cpu_milli,memory_mib,gpu,model\n";
  private static final String TASKS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n";

  @TempDir Path folder;

  private PlacementSimulation simulation(String nodes, String tasks)
      throws IOException, BadTableException {
    return PlacementSimulation.read(
        Files.writeString(folder.resolve("n.csv"), nodes),
        Files.writeString(folder.resolve("w.csv"), tasks),
        path -> path);
  }

  private List<String> placed(String nodes, String tasks, PlacementPolicy policy)
      throws IOException, BadTableException {
    return simulation(NODES + nodes, TASKS + tasks).run(policy, done -> {}).stream()
        .map(one -> one.task() + " " + one.node() + " " + one.gpus())
        .toList();
  }

  @Test
  void whole_gpus_parts_models_cores_and_memory_decide() throws Exception {
    String nodes = "a,4000,1024,2,A10\nb,8000,2048,1,T4\n";
    String tasks =
        """
        part,1000,100,1,600,
        other,1000,100,1,600,A10
        small,1000,100,1,400,A10|H100
        t4,1000,100,1,1000,T4
        none,1000,100,1,500,T4
        cores,3000,0,0,0,
        memory,0,2000,0,0,
        """;
    assertEquals(
        List.of("part a 0", "other a 1", "small a 0", "t4 b 0", "none  ", "cores b ", "memory  "),
        placed(nodes, tasks, PlacementPolicy.BEST_FIT));
  }

  @Test
  void gpus_of_a_task_are_on_one_node() throws Exception {
    String tasks = "two,0,0,2,1000,\nthree,0,0,3,1000,\n";
    assertEquals(
        List.of("two b 0-1", "three  "),
        placed("a,0,0,1,X\nb,0,0,2,X\n", tasks, PlacementPolicy.FORESIGHT));
  }

  @Test
  void all_tasks_count_as_one_job_in_turn() throws Exception {
    String tasks = "one,0,0,0,0,\ntwo,0,0,0,0,\nthree,0,0,0,0,\n";
    assertEquals(
        List.of("one a ", "two b ", "three a "),
        placed("a,0,0,0,\nb,0,0,0,\n", tasks, PlacementPolicy.ROUND_ROBIN));
  }

  @Test
  void a_compressed_table_is_read_too() throws Exception {
    Path nodes = folder.resolve("n.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(nodes))) {
      out.write((NODES + "a,0,0,0,\n").getBytes(StandardCharsets.UTF_8));
    }
    Path tasks = Files.writeString(folder.resolve("w.csv"), TASKS);
    assertEquals(0, PlacementSimulation.read(nodes, tasks, path -> path).size());
  }

  @Test
  void the_same_input_gives_the_same_places() throws Exception {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      tasks.append("t" + i + ",500,10,1," + (i % 3 == 0 ? 1000 : 100 + i * 10) + ",\n");
    }
    String nodes = "a,16000,9000,4,X\nb,16000,9000,8,X\nc,16000,9000,8,Y\n";
    for (PlacementPolicy policy : PlacementPolicy.values()) {
      assertEquals(
          placed(nodes, tasks.toString(), policy),
          placed(nodes, tasks.toString(), policy),
          policy.toString());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a,x,0,0,;one,0,0,0,0,;n.csv:2: cpu_milli must be a whole number of 0 or more, got 'x'",
        "a,0,0,65,;one,0,0,0,0,;n.csv:2: gpu must be a whole number from 0 to 64, got '65'",
        "a,0,0,0,|a,0,0,0,;one,0,0,0,0,;n.csv:3: sn must be a name that no line above has, got 'a'",
        "a,0,0,0;one,0,0,0,0,;n.csv:2: it must have 5 values, got 'a,0,0,0'",
        "a,0,0,0,;one,0,0,1,0,;w.csv:2: gpu_milli must be a whole number from 1 to 1000, got '0'",
        "a,0,0,0,;one,0,0,2,500,;w.csv:2: gpu_milli must be 1000 for a task of several GPUs, got '500'",
        "a,0,0,0,;,0,0,0,0,;w.csv:2: name must be a name, got ''",
      })
  void a_wrong_value_is_told_with_file_line_and_value(String nodes, String task, String expected) {
    BadTableException refused =
        assertThrows(
            BadTableException.class,
            () -> simulation(NODES + nodes.replace('|', '\n') + "\n", TASKS + task + "\n"));
    assertEquals(folder + "/" + expected, refused.getMessage());
  }

  @Test
  void a_missing_column_and_a_missing_file_are_told() {
    assertEquals(
        folder
            + "/n.csv:1: the heading must have the columns sn,cpu_milli,memory_mib,gpu,model, got"
            + " 'sn,gpu'",
        assertThrows(BadTableException.class, () -> simulation("sn,gpu\n", TASKS)).getMessage());
    Path none = folder.resolve("none.csv");
    assertEquals(
        none + ": there is no such file",
        assertThrows(
                BadTableException.class, () -> PlacementSimulation.read(none, none, path -> path))
            .getMessage());
  }
}
