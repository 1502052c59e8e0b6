package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.BegunCommand;
import io.remuda.coordinator.testkit.CapturedLog;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.SmallDisk;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service whose {@code REMUDA_HOME} is on a disk of 16 MB that is filled to the last byte. To
 * mount one takes root; elsewhere {@code JournalFullTest} shows what the store does with it.
 */
class DiskFullIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  /**
   * Asked so often, one after the other, it refuses each time; a node has tried again meanwhile.
   */
  private static final int TIMES_REFUSED = 5;

  /** Far more than a start writes. */
  private static final int MOST_BLOCKS = 200;

  /** What a server says that has a state and cannot write it. */
  private static final String WAITS = "the state cannot be written: ";

  @TempDir private Path folder;
  private Path home;
  private SmallDisk disk;
  private Cluster service;

  @BeforeEach
  void mount() throws IOException {
    home = folder.resolve("h");
    Optional<SmallDisk> mounted = SmallDisk.mount(home, 16);
    assumeTrue(mounted.isPresent(), "no file system can be mounted here: run it as root");
    disk = mounted.get();
    service = new Cluster(Installation.find(), home, Map.of());
  }

  @AfterEach
  void end() throws IOException {
    if (disk != null) {
      try (SmallDisk unmounted = disk) {
        service.close();
      }
    }
  }

  /** Runs until the file is there, and ends with 7. */
  private static long untilTold(ServiceUnderTest service, Path go) throws IOException {
    long job = service.submit("until [ -e " + go + " ]; do sleep 0.05; done; exit 7");
    service.awaitState(job, "running");
    return job;
  }

  private void assertRefused(Result submit) {
    assertEquals(1, submit.code(), submit.err());
    assertEquals("", submit.out());
    assertTrue(submit.err().contains("the state cannot be written: "), submit.err());
    assertTrue(
        submit.err().contains("make room on the disk; running tasks continue"), submit.err());
  }

  private static void assertFailedWithItsOwnCode(ServiceUnderTest service, long job) {
    JsonNode end = service.awaitEnd(job);
    assertEquals("failed", end.path("state").asText());
    assertEquals(7, end.path("exitCode").asInt());
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_full_disk_refuses_what_is_new_and_harms_nothing_that_was_acknowledged() throws Exception {
    service.serve();
    Path go = folder.resolve("go");
    Path done = folder.resolve("done");
    long running = untilTold(service, go);
    long over = service.submit("echo printed");
    service.awaitEnd(over);
    long waiting =
        service.submit(
            "echo started >> " + done + "; echo printed", "after", List.of(running + ":any"));
    disk.fill();
    Result first = service.cli("submit", "--", "true");
    boolean accepted = first.err().contains("not done yet: the state cannot be written: ");
    if (!accepted) { // else it was the write that found the disk full, and is done later
      assertRefused(first);
    }
    assertEquals(1, first.code(), first::toString);
    assertTrue(service.cli("state").out().contains("running"), "what runs is shown");
    assertEquals("printed\n", service.cli("logs", "" + over).out());
    assertEquals(0, service.cli("show", "" + waiting).code());
    Files.createFile(go);
    service.await(
        "end of the task's process",
        SOON,
        () -> service.members().stream().noneMatch(one -> one.commandLine().contains("until")));
    for (int again = 0; again < TIMES_REFUSED; again++) {
      assertRefused(service.cli("submit", "--", "true"));
    }
    assertTrue(Files.notExists(done), "nothing is started whose output could not be kept");
    disk.empty();
    assertFailedWithItsOwnCode(service, running);
    assertEquals("succeeded", service.awaitEnd(waiting).path("state").asText());
    assertEquals(List.of("started"), Files.readAllLines(done));
    assertEquals("printed\n", service.log(waiting, 0, "out"));
    long next = waiting + (accepted ? 2 : 1);
    Result again = service.cli("submit", "--", "true");
    assertEquals(next + "\n", again.out(), again.err());
    assertEquals("succeeded", service.awaitEnd(next).path("state").asText());
    assertEquals("succeeded", service.awaitEnd(waiting + 1).path("state").asText());
  }

  /** A server as a process, which this test may kill, with its agent. */
  private ServiceProcess killable() throws IOException {
    return new ServiceProcess(Installation.find(), home, Map.of()).serve();
  }

  private static void kill(ServiceProcess service) throws InterruptedException {
    service.member(Role.COORDINATOR).signal("KILL");
    service.awaitServerEnd();
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_server_that_dies_on_a_full_disk_says_so_and_starts_once_there_is_room() throws Exception {
    try (ServiceProcess service = killable()) {
      Path go = folder.resolve("go");
      long running = untilTold(service, go);
      long waiting = service.submit("true", "after", List.of(running + ":any"));
      disk.fill();
      kill(service);
      Files.createFile(go); // only the keeper knows how it ended: there is no room for a record
      Result no = service.cli("serve");
      assertEquals(1, no.code(), no.out());
      assertTrue(no.err().contains("make room on the disk"), no.err());
      disk.empty();
      service.serve();
      assertFailedWithItsOwnCode(service, running);
      assertEquals("succeeded", service.awaitEnd(waiting).path("state").asText());
    }
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void wherever_a_start_runs_out_of_room_it_says_so() throws Exception {
    try (ServiceProcess killed = killable()) {
      kill(killed);
    }
    int blocks = 0;
    while (isRefusedForRoom(blocks)) {
      blocks++; // so that it fails at each of its writes in turn
    }
    assertTrue(blocks > 0, "a start needs room");
    assertTrue(blocks < MOST_BLOCKS, "a start never had room enough");
  }

  /**
   * Starts a server with so much room; it is ended if it serves. One that is so far that it has a
   * state waits for room, says so, and serves once there is some.
   */
  private boolean isRefusedForRoom(int blocks) throws Exception {
    disk.fillBut(blocks);
    BegunCommand server;
    boolean waits;
    try (CapturedLog log = CapturedLog.open()) {
      server = service.begin("serve", "--no-agent");
      service.await(
          "a start with room for " + blocks + " blocks",
          SOON,
          () -> !server.isAlive() || isServing(server) || log.contains(WAITS));
      waits = server.isAlive() && !isServing(server);
    }
    if (waits) {
      disk.empty();
      service.await("a start that goes on", SOON, () -> isServing(server));
    }
    boolean serves = isServing(server);
    server.interrupt();
    Result end = server.await();
    if (waits) {
      return true;
    }
    if (serves || blocks == MOST_BLOCKS) {
      return false;
    }
    assertEquals(1, end.code(), end::toString);
    assertTrue(end.err().contains("make room on the disk"), blocks + " blocks: " + end);
    return true;
  }

  private static boolean isServing(BegunCommand server) {
    return server.out().contains("serving ");
  }

  @Test
  void a_node_whose_own_disk_is_full_starts_nothing_until_it_has_room() throws Exception {
    service.serve();
    Path small = folder.resolve("small"); // where the agent of that name has its folder
    try (SmallDisk other = SmallDisk.mount(small, 16).orElseThrow()) {
      service.agent("small", "--label", "disk=small");
      service.awaitNode("small", "ready");
      other.fill();
      long job = service.submit("echo printed", "labels", Map.of("disk", "small"));
      service.await(
          "a refusal",
          SOON,
          () -> service.cli("show", "" + job).out().contains("the disk of " + small));
      service.awaitState(job, "waiting"); // it is tried again now and then
      other.empty();
      assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
      assertEquals("printed\n", service.log(job, 0, "out"));
      service.close();
    }
  }
}
