package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people and accidents do to the files of a service, with real processes. */
@Tag("attack")
@Tag("attack-store")
@Tag("long-attack")
@Timeout(180)
class StoreAttackIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private Path home;
  private ServiceProcess service;

  @BeforeEach
  void make() {
    home = folder.resolve("h");
    service =
        new ServiceProcess(
            Installation.find(),
            home,
            Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary()));
  }

  @AfterEach
  void end() {
    service.close();
  }

  private Path temporary() {
    try {
      return Files.createDirectories(folder.resolve("tmp"));
    } catch (IOException fault) {
      throw new AssertionError(fault);
    }
  }

  private void stop() throws Exception {
    assertEquals(0, service.cli("stop").code());
    service.awaitServerEnd();
    service.await("the end of all", SOON, () -> service.members().isEmpty());
  }

  private void kill(Role... roles) {
    for (Role role : roles) {
      Member victim = service.member(role);
      victim.signal("KILL");
      service.await("death of " + victim, SOON, () -> !service.members().contains(victim));
    }
  }

  /** As {@code mv state.db* FOLDER} does. */
  private Path moveStateAway() throws IOException {
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

  private Result refused() throws IOException {
    Result serve = service.cli("serve", "--no-agent");
    assertNotEquals(0, serve.code(), serve.out());
    assertTrue(serve.err().contains("remuda restore"), serve.err());
    return serve;
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_job_of_a_new_state_file_has_its_own_output_and_its_own_end() throws Exception {
    service.serve();
    assertEquals("first\n", service.cli("run", "--", "echo", "first").out());
    stop();
    moveStateAway();
    service.serve();
    Result second = service.cli("run", "--", "sh", "-c", "echo second; exit 3");
    assertEquals(new Result(3, "second\n", second.err()), second);
    stop();
    moveStateAway();
    service.serve();
    Path ran = folder.resolve("ran");
    Result third = service.cli("run", "--", "touch", ran.toString());
    assertEquals(new Result(0, "", third.err()), third);
    assertTrue(Files.exists(ran), "it never ran");
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_task_of_another_state_file_runs_on_is_listed_and_can_be_ended() throws Exception {
    service.serve("--cpus", "2");
    Path told = folder.resolve("told");
    long old = service.submit("trap 'echo TERM >" + told + "; exit 1' TERM; sleep 3600 & wait");
    service.awaitState(old, "running");
    kill(Role.COORDINATOR);
    moveStateAway();
    service.serve("--cpus", "2");
    long fresh = service.submit("echo fresh");
    assertEquals("succeeded", service.awaitEnd(fresh).path("state").asText());
    assertEquals("fresh\n", service.log(fresh, 0, "out"));
    assertFalse(Files.exists(told), "the other task was told to end");
    long two = service.submit("true", "cpus", 2);
    service.await(
        "a line about it",
        SOON,
        () -> service.cli("nodes").out().contains("of another state file"));
    assertEquals("waiting", service.client().get("/jobs/" + two).path("state").asText());
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
    assertEquals(0, service.cli("nodes", "--end", id).code());
    service.await("its SIGTERM", SOON, () -> Files.exists(told));
    assertEquals("succeeded", service.awaitEnd(two).path("state").asText());
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_restored_state_knows_what_still_runs_and_no_number_is_mistaken() throws Exception {
    service.serve("--cpus", "4");
    long goes = service.submit("sleep 3600");
    service.awaitState(goes, "running");
    Path copy = folder.resolve("copy.db");
    Result backup = service.cli("backup", copy.toString());
    assertEquals(0, backup.code(), backup.err());
    long later = service.submit("echo before; sleep 3600");
    service.awaitState(later, "running");
    Result beside = service.cli("restore", copy.toString());
    assertEquals(1, beside.code(), "a server runs");
    assertTrue(beside.err().contains("remuda stop --keep ends it"), beside.err());
    kill(Role.COORDINATOR);
    Result restore = service.cli("restore", copy.toString());
    assertEquals(0, restore.code(), restore.err());
    service.serve("--cpus", "4");
    service.awaitState(goes, "running");
    assertEquals(later, service.submit("echo after"), "the number comes again");
    assertEquals("succeeded", service.awaitEnd(later).path("state").asText());
    assertEquals("after\n", service.log(later, 0, "out"));
    assertEquals("running", service.client().get("/jobs/" + goes).path("state").asText());
    assertEquals(1, service.client().get("/nodes").path("nodes").path(0).path("foreign").size());
    assertEquals(0, service.cli("cancel", Long.toString(goes)).code());
    assertEquals("cancelled", service.awaitEnd(goes).path("state").asText());
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_log_without_its_file_is_refused_and_is_still_there() throws Exception {
    service.serve("--no-agent");
    service.submit("true", "hold", true);
    kill(Role.COORDINATOR);
    Path away = Files.createDirectory(folder.resolve("away"));
    Files.move(home.resolve("state.db"), away.resolve("state.db"));
    byte[] log = Files.readAllBytes(home.resolve("state.db-wal"));
    Result no = refused();
    assertTrue(no.err().contains("state.db-wal"), no.err());
    assertEquals(log.length, Files.size(home.resolve("state.db-wal")));
    assertFalse(Files.exists(home.resolve("state.db")));
    Files.move(away.resolve("state.db"), home.resolve("state.db"));
    service.serve("--no-agent");
    assertEquals(1, service.client().get("/jobs").path("jobs").size());
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void what_was_acknowledged_and_is_missing_is_noticed() throws Exception {
    service.serve("--no-agent");
    for (int i = 0; i < 20; i++) {
      service.submit("true", "hold", true);
    }
    kill(Role.COORDINATOR);
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
    service.serve("--no-agent");
    assertEquals(20, service.client().get("/jobs?all").path("jobs").size());
  }

  @Test
  void a_second_server_is_refused_though_the_lock_was_removed() throws Exception {
    service.serve("--no-agent");
    Files.delete(home.resolve("serve.lock"));
    Result second = service.cli("serve", "--no-agent");
    assertEquals(4, second.code(), second.err());
    assertTrue(service.submit("true", "hold", true) > 0);
    assertEquals(0, service.cli("state").code());
  }

  @Test
  @Tag(TestStore.STATE_FILE)
  void a_server_without_its_home_takes_no_submissions() throws Exception {
    service.serve("--no-agent");
    var client = service.client();
    Files.move(home, folder.resolve("elsewhere"));
    service.await(
        "a refusal",
        SOON,
        () -> {
          try {
            client.post("/jobs", service.job("true", "hold", true));
            return false;
          } catch (RestFailureException no) {
            return no.status() == 503;
          }
        });
  }

  @Test
  void servers_that_were_killed_leave_nothing_in_the_temporary_folder() throws Exception {
    for (int i = 0; i < 2; i++) {
      service.serve();
      kill(Role.COORDINATOR);
    }
    try (Stream<Path> left = Files.list(temporary())) {
      assertEquals(
          List.of(), left.map(StoreAttackIT::name).filter(one -> one.contains("sqlite")).toList());
    }
  }
}
