package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job service of real processes that die, are ended, and come back. They share it: each death
 * ends what the test before has started.
 */
@Timeout(240)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
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

  /** Starts a server unless one lives. */
  private static void serve() throws IOException {
    if (!service.isServing()) {
      service.serve("--cpus", "1");
    }
    service.await("an agent", SOON, ServiceRecoveryIT::hasAgent);
  }

  private static boolean hasAgent() throws IOException {
    return service.members().stream().anyMatch(member -> member.role() == Role.AGENT)
        && node().path("state").asText().equals("ready");
  }

  private static JsonNode node() throws IOException {
    return service.client().get("/nodes").path("nodes").path(0);
  }

  private static void kill(Role... roles) {
    List<Member> victims = new ArrayList<>();
    for (Role role : roles) {
      victims.add(service.member(role));
    }
    victims.forEach(victim -> victim.signal("KILL"));
    service.await(
        "death of " + victims, SOON, () -> service.members().stream().noneMatch(victims::contains));
  }

  /** Until the file go is there, a task counts in a file, so that a second one would be seen. */
  private long counting(int code) throws IOException {
    long job =
        service.submit(
            "i=0; while [ ! -e go ]; do i=$((i+1)); echo $i | tee -a ticks; sleep 0.2; done; exit "
                + code,
            "workdir",
            folder.toString(),
            "cpus",
            0);
    service.awaitState(job, "running");
    return job;
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

  /** A training of all cores that is to leave for an urgent job, and waits before it does. */
  private final class LeavingTraining {
    private final TrainingLog log = TrainingLog.prepare(folder);
    private final Path wait = Files.createFile(folder.resolve("wait"));
    private final long low;
    private final long high;

    private LeavingTraining() throws IOException {
      low =
          service.submit(
              TrainingLog.COMMAND,
              "epochs",
              12,
              "snapshots",
              folder.resolve("snap").toString(),
              "workdir",
              folder.toString(),
              "cpus",
              node().path("cpus").asDouble());
      service.await(
          "an epoch",
          SOON,
          () -> service.client().get("/jobs/" + low).path("epochsDone").asInt() >= 1);
      high = service.submit("true", "priority", 5, "cpus", 1);
      service.awaitState(low, "stopping");
    }

    private void goOn() throws IOException {
      Files.delete(wait);
      assertEquals("succeeded", service.awaitEnd(high).path("state").asText());
      assertEquals("succeeded", service.awaitEnd(low).path("state").asText());
      log.assertEachOnce(12);
    }
  }

  @Test
  @Order(1)
  @Tag(TestStore.STATE_FILE) // a transient server has its state in a file
  void run_without_a_server_starts_one_for_itself() throws Exception {
    Result result = service.cli("run", "--cpus", "0.1", "--", "echo", "here");
    assertEquals(new Result(0, "here\n", ""), result);
    assertEquals(0, service.cli("run", "--", "true").code());
  }

  @Test
  @Order(2)
  void an_end_that_nobody_saw_is_learned_afterwards() throws Exception {
    serve();
    long id = counting(7);
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

  /** All that is to outlive a killed server, of which there is one: a start takes seconds. */
  @Test
  @Order(3)
  void a_task_outlives_the_server_and_the_agent_and_runs_once() throws Exception {
    serve();
    long id = counting(5);
    LeavingTraining training = new LeavingTraining();
    long first = a_submission_under_the_same_key_is_one_job();
    int port = a_second_server_is_refused();
    kill(Role.COORDINATOR);
    service.awaitServerEnd(); // with its locks
    a_port_that_was_asked_for_and_is_taken_is_one_line(port);
    serve();
    service.awaitState(id, "running");
    assertEquals(first, held("clientKey", "k1"));
    assertEquals(first + 2, held());
    training.goOn();
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

  private static long a_submission_under_the_same_key_is_one_job() throws IOException {
    long first = held("clientKey", "k1");
    assertEquals(first, held("clientKey", "k1"));
    assertEquals(first + 1, held("clientKey", "k2"));
    return first;
  }

  private static long held(Object... fields) throws IOException {
    List<Object> all = new ArrayList<>(List.of("hold", true));
    all.addAll(List.of(fields));
    return service.submit("true", all.toArray());
  }

  /** Returns the port of the first. */
  private static int a_second_server_is_refused() throws IOException {
    Result second = service.call("serve", "--no-agent");
    assertEquals(4, second.code(), second.err());
    String rest = service.client().access().rest();
    return Integer.parseInt(rest.substring(rest.lastIndexOf(':') + 1));
  }

  private static void a_port_that_was_asked_for_and_is_taken_is_one_line(int port)
      throws IOException {
    try (ServerSocket thief = new ServerSocket()) {
      thief.setReuseAddress(true);
      InetSocketAddress wanted = new InetSocketAddress("127.0.0.1", port);
      service.await("the port of the dead server", SOON, () -> binds(thief, wanted));
      Result refused = service.call("serve", "--no-agent", "--listen", "127.0.0.1:" + port);
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
  @Order(4)
  void a_training_leaves_and_goes_on_though_server_and_agent_are_killed_meanwhile()
      throws Exception {
    serve();
    LeavingTraining training = new LeavingTraining();
    kill(Role.COORDINATOR, Role.AGENT);
    serve();
    training.goOn();
  }

  /** Returns how many values of a metric an attempt has reported. */
  private static long values(long job) throws IOException {
    JsonNode answer = service.client().get("/history?kind=task&from=start&name=" + job);
    return answer.at("/series/0/reported/0/count").asLong();
  }

  @Test
  @Order(5)
  void what_a_program_reports_is_kept_once_though_agent_and_server_are_killed() throws Exception {
    serve();
    long job =
        service.submit(
            "i=0; while [ ! -e go ]; do i=$((i+1)); echo i $i $i >> $REMUDA_METRICS; sleep 0.05;"
                + " done; echo $i",
            "workdir",
            folder.toString(),
            "cpus",
            0);
    service.await("values", SOON, () -> values(job) > 20);
    kill(Role.AGENT);
    service.await("another agent", SOON, ServiceRecoveryIT::hasAgent);
    long before = values(job);
    service.await("values after the agent's death", SOON, () -> values(job) > before + 20);
    kill(Role.COORDINATOR);
    serve();
    service.await("values after the server's death", SOON, () -> values(job) > before + 60);
    go();
    service.awaitEnd(job);
    long all = Long.parseLong(service.log(job, 0, "out").trim());
    service.await("all " + all + " values", SOON, () -> values(job) >= all);
    assertEquals(all, values(job));
  }

  @Test
  @Order(6)
  void a_server_told_to_end_leaves_its_tasks_and_the_next_one_takes_them_over() throws Exception {
    serve();
    String before = service.client().access().rest();
    long id = counting(0);
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

  /** The next server is one of this JVM. */
  @Test
  @Order(7)
  void stop_ends_what_runs_and_keeps_what_waits() throws Exception {
    serve();
    long runs = service.submit("sleep 600", "cpus", 1);
    long waits = service.submit("echo later", "cpus", 1);
    service.awaitState(runs, "running");
    assertEquals(0, service.call("stop").code());
    assertEquals(0, service.awaitServerEnd());
    service.await("the end of all", SOON, () -> service.members().isEmpty());
    try (Cluster next = new Cluster(INSTALLATION, service.home(), Map.of())) {
      next.serve("--cpus", "1");
      assertEquals("cancelled", next.awaitEnd(runs).path("state").asText());
      assertEquals("succeeded", next.awaitEnd(waits).path("state").asText());
    }
  }
}
