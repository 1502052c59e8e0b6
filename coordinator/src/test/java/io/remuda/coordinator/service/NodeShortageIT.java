package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.PidsGroup;
import io.remuda.coordinator.testkit.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that lacks, for a while, what every task needs to begin. Root makes such a node. */
@Tag("attack")
@Tag("attack-bad-disk")
@Timeout(300)
class NodeShortageIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int TASKS = 300;

  @TempDir private Path folder;
  private Cluster service;

  @BeforeEach
  void serve() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--no-agent");
  }

  @AfterEach
  void end() {
    service.close();
  }

  /** Forks as often as it can, and takes what becomes free. */
  private static final String TAKES_ALL =
      """
      import os, sys, time
      while True:
          try:
              if os.fork() == 0:
                  time.sleep(1000)
                  os._exit(0)
          except OSError:
              print("cannot fork", file=sys.stderr, flush=True)
              time.sleep(0.02)
      """;

  private long submitMany() throws IOException {
    return service.submit("true", "count", TASKS, "cpus", 0.25);
  }

  private int tasks(long job, String state) throws IOException {
    return service.client().get("/jobs/" + job + "/explain").path("counts").path(state).asInt();
  }

  /** Waits until the node has been refused so often that it is left alone, and says why. */
  private void awaitPause(String cause) {
    service.await(
        "a pause of the node for want of " + cause,
        SOON,
        () -> {
          JsonNode node = service.client().get("/nodes").path("nodes").path(0);
          return node.path("note").asText().contains(cause);
        });
  }

  private void assertNoneFailed(long job) throws IOException {
    assertEquals(0, tasks(job, "failed"), () -> service.describe());
    assertTrue(tasks(job, "waiting") > 0, () -> service.describe());
  }

  private void assertAllSucceed(long job) throws IOException {
    JsonNode end = service.awaitEnd(job);
    assertEquals("succeeded", end.path("state").asText(), end::toString);
  }

  @Test
  @Tag("long-attack")
  void tasks_wait_for_inodes() throws Exception {
    Optional<SmallDisk> mounted = SmallDisk.withFiles(folder.resolve("n1"), 400);
    assumeTrue(mounted.isPresent(), "skipped: no file system can be mounted here but by root");
    try (SmallDisk disk = mounted.get()) {
      service.agent("n1", "--cpus", "2");
      service.awaitNode("n1", "ready");
      long job = submitMany();
      awaitPause("inodes");
      assertNoneFailed(job);
      disk.allowFiles(40 * TASKS);
      assertAllSucceed(job);
      service.close();
    }
  }

  @Test
  void tasks_wait_for_processes() throws Exception {
    Optional<PidsGroup> made = PidsGroup.of(220);
    assumeTrue(made.isPresent(), "skipped: no control group of processes can be made but by root");
    try (PidsGroup group = made.get()) {
      service.agentProcess(group.prefix(), "n1", "--cpus", "2");
      service.awaitNode("n1", "ready");
      long greedy =
          service.submit("exec python3 -c '" + TAKES_ALL + "'", "cpus", 0.5, "grace", "1s");
      service.await(
          "a group that is full", SOON, () -> service.log(greedy, 0, "err").contains("fork"));
      long job = submitMany();
      awaitPause("temporarily unavailable");
      assertNoneFailed(job);
      service.client().post("/jobs/" + greedy + "/cancel", null);
      assertAllSucceed(job);
      service.close();
    }
  }

  @Test
  @Tag("long-attack")
  void tasks_wait_while_no_keeper_can_be_started() throws Exception {
    service.agent("n1", "--cpus", "2");
    service.awaitNode("n1", "ready");
    Path obstacle = folder.resolve("n1").resolve("keeper.pid.tmp"); // where it would write
    Files.createDirectory(obstacle);
    service.keeper().signal("KILL");
    long job = submitMany();
    awaitPause("no keeper can be started");
    assertNoneFailed(job);
    Files.delete(obstacle);
    assertAllSucceed(job);
  }
}
