package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.FrozenDisk;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A service of which a disk stands still for a while, as by a snapshot or by a server of NFS that
 * is started again. It takes root and a loop device.
 */
@Tag("attack")
@Tag("attack-bad-disk")
class FrozenDiskIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final int TASKS = 600;
  private static final int MEGABYTES = 200;

  /** The process with its folder on the disk that stands still. */
  private enum Whose {
    SERVER,
    AGENT,
    BOTH
  }

  @TempDir private Path folder;
  private FrozenDisk disk;
  private ServiceProcess service;

  @AfterEach
  void end() throws IOException {
    if (disk != null) {
      disk.thaw();
      try (FrozenDisk unmounted = disk) {
        if (service != null) {
          service.close();
        }
      }
    }
  }

  private void start(Whose whose) throws IOException {
    Path home = folder.resolve("h");
    Optional<FrozenDisk> mounted =
        FrozenDisk.mount(whose == Whose.AGENT ? folder.resolve("n1") : home, MEGABYTES);
    assumeTrue(mounted.isPresent(), "skipped: takes root, mkfs.ext4 and a loop device");
    disk = mounted.get();
    service = new ServiceProcess(Installation.find(), home, Map.of());
    if (whose == Whose.BOTH) {
      service.serve("--cpus", "2");
    } else {
      service.serve("--no-agent");
      service.agent("n1", "--cpus", "2"); // in the folder n1 beside h
      service.awaitNode("n1", "ready");
    }
  }

  private static void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private List<String> ran(Path ledger) throws IOException {
    return Files.exists(ledger) ? Files.readAllLines(ledger) : List.of();
  }

  private void standsStill(Whose whose, int seconds) throws IOException {
    start(whose);
    Path ledger = folder.resolve("ran");
    long work = service.submit("exec sleep 3000", "cpus", 0.1);
    service.awaitState(work, "running");
    long many = service.submit("echo $REMUDA_TASK_INDEX >> " + ledger, "count", TASKS, "cpus", 0.5);
    service.await("the first of many", SOON, () -> ran(ledger).size() > 20);
    Member keeper = service.member(Role.KEEPER);
    Member agent = service.member(Role.AGENT);
    Member server = service.member(Role.COORDINATOR);
    disk.freeze();
    pause(Duration.ofSeconds(seconds));
    disk.thaw();
    service.await("the end of many", LONG, () -> isOver(many));
    JsonNode of = service.client().get("/jobs/" + many);
    assertEquals("succeeded", of.path("state").asText(), of::toString);
    JsonNode after = service.client().get("/jobs/" + work);
    assertEquals("running", after.path("state").asText(), after::toString);
    assertEquals(TASKS, ran(ledger).size(), "each has run once");
    assertEquals(TASKS, new HashSet<>(ran(ledger)).size(), "each has run");
    assertTrue(
        service.members().containsAll(List.of(keeper, agent, server)),
        () -> "the same keeper, agent and server: " + service.members());
    assertEquals(
        "succeeded", service.awaitEnd(service.submit("echo again")).path("state").asText());
    assertEquals("cancelled", cancelled(work).path("state").asText());
  }

  private boolean isOver(long job) throws IOException {
    return List.of("succeeded", "failed", "lost", "cancelled")
        .contains(service.client().get("/jobs/" + job).path("state").asText());
  }

  private JsonNode cancelled(long job) throws IOException {
    service.client().post("/jobs/" + job + "/cancel", Map.of());
    return service.awaitEnd(job);
  }

  @ParameterizedTest
  @CsvSource({"SERVER,5", "AGENT,5", "BOTH,5", "BOTH,8"})
  @Tag("long-attack")
  @Timeout(300)
  @Tag(TestStore.STATE_FILE)
  void a_disk_that_stands_still_for_seconds_costs_no_task(Whose whose, int seconds)
      throws IOException {
    standsStill(whose, seconds);
  }

  @ParameterizedTest
  @CsvSource({"SERVER,30", "AGENT,30", "BOTH,30", "SERVER,120", "AGENT,120", "BOTH,120"})
  @Tag("long-attack")
  @Timeout(600)
  @Tag(TestStore.STATE_FILE)
  void a_disk_that_stands_still_for_minutes_costs_no_task(Whose whose, int seconds)
      throws IOException {
    standsStill(whose, seconds);
  }

  @Test
  @Tag("long-attack")
  @Timeout(300)
  void a_cancel_is_carried_out_while_the_disk_of_the_node_stands_still() throws IOException {
    start(Whose.AGENT);
    long work = service.submit("exec sleep 2999");
    service.awaitState(work, "running");
    disk.freeze();
    service.client().post("/jobs/" + work + "/cancel", Map.of());
    service.await("the end of its process", SOON, () -> !isThere("sleep 2999"));
    disk.thaw();
    assertEquals("cancelled", service.awaitEnd(work).path("state").asText());
  }

  private boolean isThere(String commandLine) {
    return service.members().stream().anyMatch(one -> one.commandLine().contains(commandLine));
  }
}
