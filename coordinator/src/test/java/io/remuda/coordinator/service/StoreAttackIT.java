package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people and accidents do to the files of a service of real processes, which they share. */
@Tag("attack")
@Tag("attack-store")
@Tag("long-attack")
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoreAttackIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int LAST = Integer.MAX_VALUE;
  private static final int SECOND_LAST = LAST - 1;

  @TempDir private static Path folder;
  private static Path home;
  private static ServiceProcess service;

  @BeforeAll
  static void make() throws IOException {
    home = folder.resolve("h");
    service =
        new ServiceProcess(
            Installation.find(),
            home,
            Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary()));
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Starts a server unless that of the test before lives. */
  private static void serve() throws IOException {
    if (!service.isServing()) {
      service.serve("--cpus", "4");
    }
  }

  private static Path temporary() throws IOException {
    return Files.createDirectories(folder.resolve("tmp"));
  }

  private static void stop(Cluster ended) throws IOException {
    assertEquals(0, ended.cli("stop").code());
    ended.awaitServerEnd();
    ended.await("the end of all", SOON, () -> ended.members().isEmpty());
  }

  private static void killServer() throws InterruptedException {
    service.member(Role.COORDINATOR).signal("KILL");
    service.awaitServerEnd();
  }

  /** As {@code mv state.db* FOLDER} does. */
  private static Path moveStateAway(Path home) throws IOException {
    Path away = Files.createTempDirectory(folder, "away");
    try (Stream<Path> files = Files.list(home)) {
      for (Path file : files.filter(one -> name(one).startsWith("state.db")).toList()) {
        Files.move(file, away.resolve(file.getFileName()));
      }
    }
    return away;
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static Result refused() throws IOException {
    Result serve = service.call("serve", "--no-agent");
    assertNotEquals(0, serve.code(), serve.out());
    assertTrue(serve.err().contains("remuda restore"), serve.err());
    return serve;
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_job_of_a_new_state_file_has_its_own_output_and_its_own_end() throws Exception {
    Path own = folder.resolve("own");
    try (Cluster here = new Cluster(Installation.find(), own, Map.of())) {
      here.serve();
      assertEquals("first\n", here.cli("run", "--", "echo", "first").out());
      stop(here);
      moveStateAway(own);
      here.serve();
      Result second = here.cli("run", "--", "sh", "-c", "echo second; exit 3");
      assertEquals(new Result(3, "second\n", second.err()), second);
      stop(here);
      moveStateAway(own);
      here.serve();
      Path ran = folder.resolve("ran");
      Result third = here.cli("run", "--", "touch", ran.toString());
      assertEquals(new Result(0, "", third.err()), third);
      assertTrue(Files.exists(ran), "it never ran");
    }
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_task_of_another_state_file_runs_on_is_listed_and_can_be_ended() throws Exception {
    serve();
    Path told = folder.resolve("told");
    long old = service.submit("trap 'echo TERM >" + told + "; exit 1' TERM; sleep 3600 & wait");
    service.awaitState(old, "running");
    killServer();
    moveStateAway(home);
    serve();
    long fresh = service.submit("echo fresh");
    assertEquals("succeeded", service.awaitEnd(fresh).path("state").asText());
    assertEquals("fresh\n", service.log(fresh, 0, "out"));
    assertFalse(Files.exists(told), "the other task was told to end");
    long whole = service.submit("true", "cpus", 4);
    service.await(
        "a line about it",
        SOON,
        () -> service.call("nodes").out().contains("of another state file"));
    assertEquals("waiting", service.client().get("/jobs/" + whole).path("state").asText());
    String id =
        service
            .client()
            .get("/nodes")
            .path("nodes")
            .path(0)
            .path("foreign")
            .path(0)
            .path("id")
            .asText();
    assertEquals(0, service.call("nodes", "--end", id).code());
    service.await("its SIGTERM", SOON, () -> Files.exists(told));
    assertEquals("succeeded", service.awaitEnd(whole).path("state").asText());
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_restored_state_knows_what_still_runs_and_no_number_is_mistaken() throws Exception {
    serve();
    long goes = service.submit("sleep 3600");
    service.awaitState(goes, "running");
    Path copy = folder.resolve("copy.db");
    Result backup = service.call("backup", copy.toString());
    assertEquals(0, backup.code(), backup.err());
    long later = service.submit("echo before; sleep 3600");
    service.awaitState(later, "running");
    Result beside = service.call("restore", copy.toString());
    assertEquals(1, beside.code(), "a server runs");
    assertTrue(beside.err().contains("remuda stop --keep ends it"), beside.err());
    killServer();
    Result restore = service.call("restore", copy.toString());
    assertEquals(0, restore.code(), restore.err());
    serve();
    service.awaitState(goes, "running");
    assertEquals(later, service.submit("echo after"), "the number comes again");
    assertEquals("succeeded", service.awaitEnd(later).path("state").asText());
    assertEquals("after\n", service.log(later, 0, "out"));
    assertEquals("running", service.client().get("/jobs/" + goes).path("state").asText());
    assertEquals(1, service.client().get("/nodes").path("nodes").path(0).path("foreign").size());
    assertEquals(0, service.call("cancel", Long.toString(goes)).code());
    assertEquals("cancelled", service.awaitEnd(goes).path("state").asText());
    JsonNode foreign = service.client().get("/nodes").at("/nodes/0/foreign/0/id");
    assertEquals(0, service.call("nodes", "--end", foreign.asText()).code());
    service.await(
        "its end", SOON, () -> service.client().get("/nodes").at("/nodes/0/foreign").isEmpty());
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_log_without_its_file_is_refused_and_is_still_there() throws Exception {
    serve();
    service.submit("true", "hold", true);
    int jobs = jobs();
    killServer();
    Path away = Files.createDirectory(folder.resolve("away"));
    Files.move(home.resolve("state.db"), away.resolve("state.db"));
    byte[] log = Files.readAllBytes(home.resolve("state.db-wal"));
    Result no = refused();
    assertTrue(no.err().contains("state.db-wal"), no.err());
    assertEquals(log.length, Files.size(home.resolve("state.db-wal")));
    assertFalse(Files.exists(home.resolve("state.db")));
    Files.move(away.resolve("state.db"), home.resolve("state.db"));
    serve();
    assertEquals(jobs, jobs());
  }

  private static int jobs() throws IOException {
    return service.client().get("/jobs?all").path("jobs").size();
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void what_was_acknowledged_and_is_missing_is_noticed() throws Exception {
    serve();
    for (int i = 0; i < 20; i++) {
      service.submit("true", "hold", true);
    }
    int jobs = jobs();
    killServer();
    Path log = home.resolve("state.db-wal");
    byte[] whole = Files.readAllBytes(log);
    Files.delete(log);
    Files.deleteIfExists(home.resolve("state.db-shm"));
    refused();
    Files.write(log, whole);
    for (long size : List.of(0L, 32L, (long) whole.length / 2)) {
      try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
        channel.truncate(size);
      }
      refused();
      Files.write(log, whole);
    }
    Path file = home.resolve("state.db");
    byte[] state = Files.readAllBytes(file);
    Files.write(file, new byte[0]);
    refused();
    Files.write(file, state);
    Files.write(log, whole);
    serve();
    assertTrue(jobs >= 20, jobs + " jobs");
    assertEquals(jobs, jobs());
  }

  @Test
  void a_second_server_is_refused_though_the_lock_was_removed() throws Exception {
    serve();
    Files.delete(home.resolve("serve.lock"));
    Result second = service.call("serve", "--no-agent");
    assertEquals(4, second.code(), second.err());
    assertTrue(service.submit("true", "hold", true) > 0);
    assertEquals(0, service.call("state").code());
  }

  /** Nothing finds that server any more. */
  @Test
  @Order(SECOND_LAST)
  @Tag(TestStore.STATE_FILE)
  void a_server_without_its_home_takes_no_submissions() throws Exception {
    serve();
    var client = service.client();
    client.get("/jobs"); // its connection is kept: a new one would look for the access file
    Files.move(home, folder.resolve("elsewhere"));
    service.await(
        "a refusal",
        SOON,
        () -> {
          try {
            client.post("/jobs", service.job("true", "hold", true, "clientKey", "key"));
            return false;
          } catch (RestFailureException no) {
            return no.status() == 503;
          }
        });
  }

  /** All those that were killed before, too. */
  @Test
  @Order(LAST)
  void servers_that_were_killed_leave_nothing_in_the_temporary_folder() throws Exception {
    serve();
    killServer();
    try (Stream<Path> left = Files.list(temporary())) {
      assertEquals(
          List.of(), left.map(StoreAttackIT::name).filter(one -> one.contains("sqlite")).toList());
    }
  }
}
