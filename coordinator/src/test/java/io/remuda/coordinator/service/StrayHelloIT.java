package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What befalls a keeper: another process of the same account says hello to it, as a script gone
 * astray, and it is stopped for good.
 */
@Timeout(300)
class StrayHelloIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "2");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static Path socket() throws IOException {
    try (Stream<Path> nodes = Files.list(folder.resolve("h").resolve("nodes"))) {
      return nodes.map(node -> node.resolve("keeper.sock")).findFirst().orElseThrow();
    }
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void a_stray_hello_costs_no_task_and_refuses_no_start() throws Exception {
    long work = service.submit("exec sleep 3000", "cpus", 0.1);
    service.awaitState(work, "running");
    Member keeper = service.keeper();
    AtomicBoolean closed = new AtomicBoolean();
    KeeperClient stray =
        KeeperClient.connect(
            socket(),
            new KeeperClient.Listener() {
              @Override
              public void exited(TaskView task) {}

              @Override
              public void disconnected(Throwable cause) {
                closed.set(true);
              }
            });
    try {
      assertEquals("succeeded", service.awaitEnd(service.submit("true")).path("state").asText());
      service.await("the agent's return", SOON, closed::get);
    } finally {
      stray.close();
    }
    assertEquals("running", service.awaitState(work, "running").path("state").asText());
    assertTrue(service.members().containsAll(List.of(keeper)), "the same keeper");
    service.client().post("/jobs/" + work + "/cancel", null);
    service.awaitEnd(work);
  }

  @Test
  void a_keeper_that_is_stopped_for_good_is_replaced_and_its_tasks_end() throws Exception {
    long id = service.submit("sleep 600");
    service.awaitState(id, "running");
    service.keeper().signal("STOP");
    assertEquals("lost", service.awaitEnd(id).path("state").asText());
    assertEquals("succeeded", service.awaitEnd(service.submit("true")).path("state").asText());
  }
}
