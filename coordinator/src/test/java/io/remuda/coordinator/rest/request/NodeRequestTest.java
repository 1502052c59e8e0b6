package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeRequestTest {

  private static ResourceRequest needs(Map<String, Object> fields) {
    Map<String, Object> all = new TreeMap<>(fields);
    all.put("argv", List.of("true"));
    return JobRequest.of(all).toNewJob("ann", List.of()).request();
  }

  private static void assertRefused(String message, Map<String, Object> fields) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> needs(fields)).getMessage());
  }

  @Test
  void a_job_that_says_nothing_may_run_anywhere() {
    assertNull(needs(Map.of()).node());
  }

  @Test
  void nodes_and_counted_resources_are_read() {
    ResourceRequest needs =
        needs(
            Map.of(
                "nodes", List.of("n2", "n1"),
                "excludeNodes", List.of("n3"),
                "resources", List.of("lic=2", "scratch=1")));
    assertEquals(Set.of("n1", "n2"), needs.nodeNeeds().only());
    assertEquals(Set.of("n3"), needs.nodeNeeds().except());
    assertEquals(Map.of("lic", 2L, "scratch", 1L), needs.nodeNeeds().counted());
  }

  @Test
  void the_members_of_a_role_need_what_the_job_does() {
    Map<String, Object> role = Map.of("count", 1, "cpus", 2.0);
    ResourceRequest needs =
        needs(Map.of("resources", List.of("lic=2"), "gang", Map.of("roles", Map.of("w", role))));
    assertEquals(Map.of("lic", 2L), needs.nodeNeeds().counted());
  }

  @Test
  void what_is_wrong_is_named_with_its_value() {
    assertRefused(
        "resources: a resource is NAME=N with a whole number, as lic=2, got 'lic=0.5'",
        Map.of("resources", List.of("lic=0.5")));
    assertRefused(
        "resources: resource lic must be a whole number from 1 to 1000000000000, got 0",
        Map.of("resources", List.of("lic=0")));
    assertRefused(
        "resources: resource 'lic' is given twice", Map.of("resources", List.of("lic=1", "lic=2")));
    assertRefused(
        "node 'n1' is both wanted and excluded",
        Map.of("nodes", List.of("n1"), "excludeNodes", List.of("n1")));
    assertRefused(
        "gpuModel must have a text before and behind each '|', got 'A100|'",
        Map.of("gpuModel", "A100|"));
  }
}
