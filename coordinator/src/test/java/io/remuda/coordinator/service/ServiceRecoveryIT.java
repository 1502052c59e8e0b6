package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job service of real processes that die, are ended, and come back. They share it. */
@Timeout(240)
class ServiceRecoveryIT {
  private static final Installation INSTALLATION = Installation.find();
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path shared;
  private static ServiceProcess service;

  @TempDir private Path folder;

  @BeforeAll
  static void make() {
    service = new ServiceProcess(INSTALLATION, shared.resolve("h"), Map.of());
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** On a node of one core; the server of the test before may live. */
  @BeforeEach
  void serve() throws IOException {
    if (!service.isServing()) {
      service.serve("--cpus", "1");
    }
    service.await("an agent", SOON, ServiceRecoveryIT::hasAgent);
  }

  private static boolean hasAgent() throws IOException {
    JsonNode node = service.client().get("/nodes").path("nodes").path(0);
    return service.members().stream().anyMatch(member -> member.role() == Role.AGENT)
        && node.path("state").asText().equals("ready");
  }

  private static void kill(Role... roles) throws InterruptedException {
    List<Member> victims = new ArrayList<>();
    for (Role role : roles) {
      victims.add(service.member(role));
    }
    victims.forEach(victim -> victim.signal("KILL"));
    service.await(
        "death of " + victims, SOON, () -> service.members().stream().noneMatch(victims::contains));
    if (List.of(roles).contains(Role.COORDINATOR)) {
      service.awaitServerEnd();
    }
  }

  /** Until the file go is there, a task counts in a file, so that a second one would be seen. */
  private long counting(int code) throws IOException {
    return service.submit(
        "i=0; while [ ! -e go ]; do i=$((i+1)); echo $i | tee -a ticks; sleep 0.2; done; exit "
            + code,
        "workdir",
        folder.toString());
  }

  /** Lets it end. */
  private void go() throws IOException {
    Files.createFile(folder.resolve("go"));
  }

  private List<String> ticks() throws IOException {
    return Files.readAllLines(folder.resolve("ticks"));
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
  void run_without_a_server_starts_one_for_itself() throws Exception {
    try (ServiceProcess none = new ServiceProcess(INSTALLATION, folder.resolve("none"), Map.of())) {
      Result result = none.cli("run", "--cpus", "0.1", "--", "echo", "here");
      assertEquals(new Result(0, "here\n", ""), result);
      assertEquals(0, none.cli("run", "--", "true").code());
    }
  }

  @Test
  void a_task_outlives_the_server_and_the_agent_and_runs_once() throws Exception {
    long id = counting(5);
    service.awaitState(id, "running");
    kill(Role.COORDINATOR);
    serve();
    service.awaitState(id, "running");
    kill(Role.AGENT);
    go();
    JsonNode end = service.awaitEnd(id);
    assertEquals("failed", end.path("state").asText(), end::toString);
    assertEquals(5, end.path("exitCode").asInt());
    List<String> counted = numbers(ticks().size());
    assertEquals(counted, ticks());
    assertEquals(String.join("\n", counted) + "\n", service.log(id, 0, "out"));
  }

  @Test
  void an_end_that_nobody_saw_is_learned_afterwards() throws Exception {
    long id = counting(7);
    service.awaitState(id, "running");
    kill(Role.COORDINATOR, Role.AGENT);
    go();
    service.await("the keeper's end", SOON, () -> service.members().isEmpty());
    List<String> counted = ticks();
    assertEquals(numbers(counted.size()), counted);
    serve();
    JsonNode end = service.awaitEnd(id);
    assertEquals(7, end.path("exitCode").asInt(), end::toString);
    assertEquals(counted, ticks());
  }

  @Test
  void a_server_told_to_end_leaves_its_tasks_and_the_next_one_takes_them_over() throws Exception {
    String before = service.client().access().rest();
    long id = counting(0);
    service.awaitState(id, "running");
    service.member(Role.COORDINATOR).signal("TERM");
    assertEquals(0, service.awaitServerEnd());
    service.await(
        "end of the agent",
        SOON,
        () -> service.members().stream().noneMatch(member -> member.role() == Role.AGENT));
    serve();
    assertEquals(before, service.client().access().rest(), "the port is kept");
    go();
    assertEquals("succeeded", service.awaitEnd(id).path("state").asText());
    assertEquals(numbers(ticks().size()), service.log(id, 0, "out").lines().toList());
  }

  @Test
  void stop_ends_what_runs_and_keeps_what_waits() throws Exception {
    long runs = service.submit("sleep 600");
    long waits = service.submit("echo later");
    service.awaitState(runs, "running");
    assertEquals(0, service.cli("stop").code());
    assertEquals(0, service.awaitServerEnd());
    service.await("the end of all", SOON, () -> service.members().isEmpty());
    serve();
    assertEquals("cancelled", service.awaitEnd(runs).path("state").asText());
    assertEquals("succeeded", service.awaitEnd(waits).path("state").asText());
  }

  @Test
  void a_submission_under_the_same_key_is_one_job() throws Exception {
    try {
      long first = held("clientKey", "k1");
      assertEquals(first, held("clientKey", "k1"));
      assertEquals(first + 1, held("clientKey", "k2"));
      kill(Role.COORDINATOR);
      serve();
      assertEquals(first, held("clientKey", "k1"));
      assertEquals(first + 2, held());
    } catch (AssertionError failed) {
      throw new AssertionError(service.describe(), failed);
    }
  }

  private static long held(Object... fields) throws IOException {
    List<Object> all = new ArrayList<>(List.of("hold", true));
    all.addAll(List.of(fields));
    return service.submit("true", all.toArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {"COORDINATOR", "AGENT", "COORDINATOR AGENT"})
  void a_training_leaves_and_goes_on_though_they_are_killed_meanwhile(String victims)
      throws Exception {
    TrainingLog training = TrainingLog.prepare(folder);
    long low =
        service.submit(
            TrainingLog.COMMAND,
            "epochs",
            12,
            "snapshots",
            folder.resolve("snap").toString(),
            "workdir",
            folder.toString());
    Path wait = Files.createFile(folder.resolve("wait"));
    service.await(
        "an epoch",
        SOON,
        () -> service.client().get("/jobs/" + low).path("epochsDone").asInt() >= 1);
    long high = service.submit("true", "priority", 5, "cpus", 1);
    service.awaitState(low, "stopping");
    kill(Stream.of(victims.split(" ")).map(Role::valueOf).toArray(Role[]::new));
    serve();
    Files.delete(wait);
    assertEquals("succeeded", service.awaitEnd(high).path("state").asText());
    assertEquals("succeeded", service.awaitEnd(low).path("state").asText());
    training.assertEachOnce(12);
  }
}
