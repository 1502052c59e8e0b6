package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A state folder that was copied while its server and its node were at work. */
@Timeout(300)
class CopiedHomeIT {

  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;

  /** Copies what are files; a socket is another one in the copy, and none is what it lacks. */
  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(from)) {
      all = walk.toList();
    }
    for (Path each : all) {
      if (Files.isDirectory(each) || Files.isRegularFile(each)) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  @Test
  void its_server_says_that_its_node_cannot_join_and_why_and_the_first_is_left_alone()
      throws Exception {
    Path home = folder.resolve("h");
    Path copy = folder.resolve("c");
    try (Cluster first = new Cluster(Installation.find(), home, Map.of());
        Cluster second = new Cluster(Installation.find(), copy, Map.of())) {
      first.serve();
      long job = first.submit("sleep 1000");
      first.awaitState(job, "running");
      copy(home, copy);
      CompletableFuture.runAsync( // it waits for a node that never joins
          () -> {
            try {
              second.serve();
            } catch (IOException | AssertionError ended) {
              throw new IllegalStateException(ended);
            }
          });
      second.await("its word", SOON, () -> nodes(second).path("absent").isTextual());
      String why = nodes(second).path("absent").asText();
      assertTrue(why.contains(" cannot join: " + copy), why);
      assertTrue(why.contains(" is a copy of " + home), why);
      assertTrue(second.cli("nodes").out().contains("no node has joined\n" + why), why);
      assertEquals("running", first.client().get("/jobs/" + job).path("state").asText());
      assertEquals(0, first.cli("cancel", Long.toString(job)).code());
      second.killAgents(); // it waits for its keeper
    }
  }

  private static JsonNode nodes(Cluster cluster) throws IOException {
    return cluster.client().get("/nodes");
  }
}
