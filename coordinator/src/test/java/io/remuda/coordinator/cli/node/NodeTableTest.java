package io.remuda.coordinator.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of nodes. */
class NodeTableTest {
  private static final String GPU = "{\"model\": \"NVIDIA H200\", \"state\": \"%s\"}";
  private static final String NODE =
      """
      {"name": "n1", "state": "ready", "labels": {"node": "n1", "zone": "a", "disk": "%s"},
       "cpus": 8, "freeCpus": 2.5, "memoryBytes": 17179869184, "freeMemoryBytes": 1073741824,
       "tasks": 3, "devices": [%s, %s], "version": "0.1.0", "load1": 1.25,
       "address": "10.0.0.1", "sinceSeconds": 7200}
      """;

  private static JsonNode nodes(String disk) throws Exception {
    String node = NODE.formatted(disk, GPU.formatted("free"), GPU.formatted("taken"));
    return JsonMapper.builder().build().readTree("[" + node + "]");
  }

  @Test
  void a_node_has_its_load_models_labels_and_how_long_it_is_there() throws Exception {
    assertEquals(
        List.of(
            "NODE  STATE  SINCE  CPUS FREE  LOAD  MEMORY FREE   GPUS FREE  TASKS  LABELS",
            "n1    ready  2h     2.50/8     1.3   1.0/16.0 GiB  1/2 H200   3      disk=ssd,zone=a"),
        NodeTable.lines(nodes("ssd"), false));
  }

  @Test
  void what_is_cut_is_said_and_wide_cuts_nothing() throws Exception {
    List<String> cut = NodeTable.lines(nodes("x".repeat(100)), false);
    assertEquals(120, cut.get(1).length());
    assertEquals("lines with + at the end were cut: --wide shows all", cut.get(2));
    List<String> wide = NodeTable.lines(nodes("x".repeat(100)), true);
    assertEquals(2, wide.size());
    assertTrue(wide.get(1).contains("10.0.0.1  0.1.0    disk=xxx"), wide.get(1));
    assertTrue(wide.get(1).endsWith("x,zone=a"), wide.get(1));
  }

  @Test
  void several_models_are_counted_and_what_is_not_known_is_left_out() throws Exception {
    JsonNode mixed =
        JsonMapper.builder()
            .build()
            .readTree(
                "[{\"model\": \"B\", \"state\": \"free\"}, {\"model\": \"A\"}, {\"model\": \"A\"}]");
    assertEquals("1/3 2xA 1xB", NodeTable.gpus(mixed, 12));
    JsonNode silent = JsonMapper.builder().build().readTree("[{\"name\": \"n2\"}]");
    assertEquals(
        "n2                  0/0              0.0/0.0 GiB  0/0",
        NodeTable.lines(silent, false).get(1));
  }

  @Test
  void nodes_of_one_machine_are_named_together() throws Exception {
    JsonNode nodes =
        JsonMapper.builder()
            .build()
            .readTree(
                "[{\"name\": \"n1\", \"machine\": \"a\"}, {\"name\": \"n2\", \"machine\": \"b\"},"
                    + " {\"name\": \"n3\", \"machine\": \"a\"}, {\"name\": \"n4\"},"
                    + " {\"name\": \"n5\"}]");
    assertEquals(
        List.of("n1, n3 share one machine, its CPUs and memory"), NodeTable.sharedMachines(nodes));
  }
}
