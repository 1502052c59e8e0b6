package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Simulated GPUs where the environment names devices of the machine. */
@Timeout(180)
class SimulatedGpusIT {

  @TempDir private Path folder;

  @Test
  void they_are_all_lent_and_seen_by_their_tasks_whatever_devices_the_environment_names()
      throws Exception {
    try (Cluster service =
        new Cluster(
            Installation.find(), folder.resolve("h"), Map.of("CUDA_VISIBLE_DEVICES", "3"))) {
      service.serve("--simulate-gpus", "h200:2");
      String said = service.said();
      assertTrue(said.contains("remuda: CUDA_VISIBLE_DEVICES=3 is for this machine's own"), said);
      Set<String> lent = new HashSet<>();
      JsonNode node = service.client().get("/nodes").path("nodes").path(0);
      node.path("devices").forEach(device -> lent.add(device.path("uuid").asText()));
      assertEquals(2, lent.size());
      String seen =
          service.cli("run", "--gpus", "2", "--", "sh", "-c", "echo $REMUDA_DEVICES").out();
      assertEquals(lent, Set.of(seen.strip().split(","))); // the fuller one is first
      assertEquals("\n", service.cli("run", "--", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES").out());
    }
  }
}
