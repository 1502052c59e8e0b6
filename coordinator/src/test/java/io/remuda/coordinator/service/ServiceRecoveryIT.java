package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job service of real processes that die, are ended, and come back. */
class ServiceRecoveryIT {
  private static final Installation INSTALLATION = Installation.find();
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private ServiceProcess service;

  @BeforeEach
  void make() {
    service = new ServiceProcess(INSTALLATION, folder.resolve("h"), Map.of());
  }

  @AfterEach
  void end() {
    service.close();
  }

  private void kill(Role... roles) {
    List<Member> victims = new ArrayList<>();
    for (Role role : roles) {
      victims.add(service.member(role));
    }
    victims.forEach(victim -> victim.signal("KILL"));
    service.await(
        "death of " + victims, SOON, () -> service.members().stream().noneMatch(victims::contains));
  }

  /** A task that notes each of its seconds in a file, so that a second one would be seen. */
  private String ticks(Path file, int seconds, int code) {
    return "for i in $(seq "
        + seconds
        + "); do echo $i | tee -a "
        + file
        + "; sleep 1; done; exit "
        + code;
  }

  private static List<String> numbers(int last) {
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= last; i++) {
      all.add(Integer.toString(i));
    }
    return all;
  }

  @Test
  void a_port_that_was_asked_for_and_is_taken_is_one_line_and_so_is_a_second_server()
      throws Exception {
    service.serve("--no-agent");
    Result second = service.cli("serve", "--no-agent");
    assertEquals(4, second.code(), second.err());
    String rest = service.client().access().rest();
    int port = Integer.parseInt(rest.substring(rest.lastIndexOf(':') + 1));
    kill(Role.COORDINATOR);
    try (ServerSocket thief = new ServerSocket()) {
      thief.setReuseAddress(true);
      InetSocketAddress wanted = new InetSocketAddress("127.0.0.1", port);
      service.await("the port of the dead server", SOON, () -> binds(thief, wanted));
      Result refused = service.cli("serve", "--no-agent", "--listen", "127.0.0.1:" + port);
      assertEquals(1, refused.code());
      assertTrue(refused.err().contains("cannot listen on 127.0.0.1:" + port), refused.err());
      assertEquals(1, refused.err().lines().count(), refused.err());
    }
  }

  private static boolean binds(ServerSocket socket, InetSocketAddress address) {
    try {
      socket.bind(address);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Test
  void over_tls_only_the_certificate_of_the_access_file_is_trusted() throws Exception {
    service.serve("--no-agent");
    ServerAccessFile access = service.client().access();
    assertTrue(access.rest().startsWith("https://"), access.rest());
    long id = service.submit("true", "hold", true);
    assertEquals("held", service.awaitState(id, "held").path("state").asText());
    String other = ClusterKey.create("eve", Instant.now()).access(List.of("x:1")).certificate();
    RestClient deceived =
        new RestClient(
            new ServerAccessFile(
                1, null, null, null, access.rest(), other, null, access.user(), access.token()));
    assertThrows(IOException.class, () -> deceived.get("/jobs"));
  }

  @Test
  void run_without_a_server_starts_one_for_itself() throws Exception {
    Result result = service.cli("run", "--cpus", "0.1", "--", "echo", "here");
    assertEquals(new Result(0, "here\n", ""), result);
    assertEquals(0, service.cli("run", "--", "true").code());
  }

  @Test
  void a_task_outlives_the_server_and_the_agent_and_runs_once() throws Exception {
    service.serve();
    Path file = folder.resolve("ticks");
    Path go = folder.resolve("go");
    long id =
        service.submit(
            "i=0; while [ ! -e %s ]; do i=$((i+1)); echo $i >> %s; echo $i; sleep 0.2; done; exit 5"
                .formatted(go, file));
    service.awaitState(id, "running");
    kill(Role.COORDINATOR);
    service.serve();
    service.awaitState(id, "running");
    kill(Role.AGENT);
    Files.createFile(go);
    JsonNode end = service.awaitEnd(id);
    assertEquals("failed", end.path("state").asText(), end::toString);
    assertEquals(5, end.path("exitCode").asInt());
    List<String> counted = numbers(Files.readAllLines(file).size());
    assertEquals(counted, Files.readAllLines(file));
    assertEquals(String.join("\n", counted) + "\n", service.log(id, 0, "out"));
  }

  @Test
  void an_end_that_nobody_saw_is_learned_afterwards() throws Exception {
    service.serve();
    Path file = folder.resolve("ticks");
    long id = service.submit(ticks(file, 3, 7));
    service.awaitState(id, "running");
    kill(Role.COORDINATOR, Role.AGENT);
    service.await("the keeper's end", SOON, () -> service.members().isEmpty());
    assertEquals(numbers(3), Files.readAllLines(file));
    service.serve();
    JsonNode end = service.awaitEnd(id);
    assertEquals(7, end.path("exitCode").asInt(), end::toString);
    assertEquals(numbers(3), Files.readAllLines(file));
  }

  @Test
  void a_keeper_that_is_stopped_for_good_is_replaced_and_its_tasks_end() throws Exception {
    service.serve();
    long id = service.submit("sleep 600");
    service.awaitState(id, "running");
    service.member(Role.KEEPER).signal("STOP");
    assertEquals("lost", service.awaitEnd(id).path("state").asText());
    assertEquals("succeeded", service.awaitEnd(service.submit("true")).path("state").asText());
  }

  @Test
  void a_server_told_to_end_leaves_its_tasks_and_the_next_one_takes_them_over() throws Exception {
    service.serve();
    String before = service.client().access().rest();
    long id = service.submit("sleep 8; echo survived");
    service.awaitState(id, "running");
    service.member(Role.COORDINATOR).signal("TERM");
    assertEquals(0, service.awaitServerEnd());
    service.await(
        "end of the agent",
        SOON,
        () -> service.members().stream().noneMatch(member -> member.role() == Role.AGENT));
    service.serve();
    assertEquals(before, service.client().access().rest(), "the port is kept");
    assertEquals("succeeded", service.awaitEnd(id).path("state").asText());
    assertEquals("survived\n", service.log(id, 0, "out"));
  }

  @Test
  void stop_ends_what_runs_and_keeps_what_waits() throws Exception {
    service.serve("--cpus", "1");
    long runs = service.submit("sleep 600");
    long waits = service.submit("echo later");
    service.awaitState(runs, "running");
    assertEquals(0, service.cli("stop").code());
    assertEquals(0, service.awaitServerEnd());
    service.await("the end of all", SOON, () -> service.members().isEmpty());
    service.serve("--cpus", "1");
    assertEquals("cancelled", service.awaitEnd(runs).path("state").asText());
    assertEquals("succeeded", service.awaitEnd(waits).path("state").asText());
  }

  @Test
  void a_submission_under_the_same_key_is_one_job() throws IOException {
    try {
      service.serve("--no-agent");
      long first = service.submit("true", "clientKey", "k1");
      assertEquals(first, service.submit("true", "clientKey", "k1"));
      assertEquals(first + 1, service.submit("true", "clientKey", "k2"));
      kill(Role.COORDINATOR);
      service.serve("--no-agent");
      assertEquals(first, service.submit("true", "clientKey", "k1"));
      assertEquals(first + 2, service.submit("true"));
    } catch (AssertionError failed) {
      throw new AssertionError(service.describe(), failed);
    }
  }

  @Test
  @Tag("attack")
  @Tag("attack-kill-storm")
  @Timeout(120)
  void a_repeated_submission_is_known_whatever_has_become_of_what_it_follows() throws IOException {
    service.serve("--no-agent");
    long first = service.submit("true");
    Object[] fields = {"clientKey", "k", "after", List.of(first + ":ok")};
    long follower = service.submit("true", fields);
    service.client().post("/jobs/" + first + "/cancel", null);
    service.awaitEnd(first);

    assertEquals(follower, service.submit("true", fields));
  }
}
