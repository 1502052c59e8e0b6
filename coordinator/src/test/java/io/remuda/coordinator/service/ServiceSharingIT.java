package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose turn it is in a service: among users, and among jobs. */
class ServiceSharingIT {
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final int JOBS_OF_ANN = 375;
  private static final int JOBS_OF_BOB = 125;
  private static final double DUE_TO_ANN = 0.75;

  /** Eight tasks run at once, and on a busy machine each may stand still for half a second. */
  private static final double TOLERANCE = 0.05;

  @TempDir private static Path shared;
  private static Cluster service;

  @TempDir private Path folder;

  /** When a task ran, as the server has noted it. */
  private record Ran(Instant from, Instant to) {
    private double secondsUntil(Instant end) {
      Instant last = to.isBefore(end) ? to : end;
      return from.isBefore(last) ? Duration.between(from, last).toNanos() / 1e9 : 0;
    }
  }

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--cpus", "2");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private RestClient user(String name, String share) throws IOException {
    Path file = folder.resolve(name + ".json");
    Result added = service.cli("user", "add", name, "--share", share, "--out", file.toString());
    assertEquals(0, added.code(), added::toString);
    return new RestClient(ServerAccessFile.read(file).orElseThrow());
  }

  private static List<Long> submit(RestClient user, int count) throws IOException {
    Map<String, Object> job = service.job("exec sleep 0.1", "cpus", 0.25);
    List<Long> ids = new ArrayList<>();
    user.post("/jobs", Map.of("jobs", Collections.nCopies(count, job)))
        .path("ids")
        .forEach(id -> ids.add(id.asLong()));
    return ids;
  }

  private static List<Ran> ran(List<Long> jobs) throws IOException {
    List<Ran> all = new ArrayList<>();
    for (long job : jobs) {
      JsonNode task = service.client().get("/jobs/" + job + "/tasks").path("tasks").path(0);
      assertEquals("succeeded", task.path("state").asText(), task::toString);
      all.add(
          new Ran(
              Instant.parse(task.path("startedAt").asText()),
              Instant.parse(task.path("endedAt").asText())));
    }
    return all;
  }

  private static Instant lastStart(List<Ran> tasks) {
    return tasks.stream().map(Ran::from).max(Instant::compareTo).orElseThrow();
  }

  private static double use(List<Ran> tasks, Instant until) {
    return tasks.stream().mapToDouble(task -> task.secondsUntil(until)).sum();
  }

  /** Looked at when one of them has no job left that waits. */
  @Test
  void two_users_with_shares_of_three_to_one_use_the_machine_so() throws Exception {
    RestClient ann = user("ann", "3");
    RestClient bob = user("bob", "1");
    String node = service.client().get("/nodes").at("/nodes/0/name").asText();
    assertEquals(0, service.cli("drain", node).code());
    List<Long> jobsOfBob = submit(bob, JOBS_OF_BOB);
    List<Long> jobsOfAnn = submit(ann, JOBS_OF_ANN);
    assertEquals(0, service.cli("resume", node).code());
    service.await(
        "the end of all jobs",
        LONG,
        () -> service.client().get("/jobs?limit=1").path("jobs").isEmpty());

    List<Ran> ofAnn = ran(jobsOfAnn);
    List<Ran> ofBob = ran(jobsOfBob);
    Instant oneIsDone = Collections.min(List.of(lastStart(ofAnn), lastStart(ofBob)));
    double useOfAnn = use(ofAnn, oneIsDone);
    double useOfBob = use(ofBob, oneIsDone);
    double part = useOfAnn / (useOfAnn + useOfBob);
    String seen = "core-seconds of ann " + useOfAnn + ", of bob " + useOfBob;
    assertEquals(DUE_TO_ANN, part, TOLERANCE, seen);
    int startedOfAnn = (int) ofAnn.stream().filter(task -> !task.from().isAfter(oneIsDone)).count();
    assertTrue(startedOfAnn > JOBS_OF_ANN * 9 / 10, "both had jobs waiting all the time");
  }

  @Test
  void whose_type_is_to_be_measured_again_can_be_said_by_the_owner_only() throws Exception {
    user("eve", "1");
    Files.move(folder.resolve("eve.json"), folder.resolve("access.json"));
    Map<String, String> asEve = Map.of("REMUDA_HOME", folder.toString());
    String[] forget = {"profiles", "forget", "train", "--user", "ann"};
    Result eve = service.cli(asEve, forget);
    assertTrue(eve.err().contains("only the owner of this server may forget"), eve::toString);
    Result owner = service.cli(forget);
    assertTrue(owner.err().contains("nothing is known of a type 'train'"), owner::toString);
  }

  @Test
  void a_chain_a_diamond_and_what_follows_a_failure_end_as_documented() throws Exception {
    Path file = folder.resolve("jobs.yaml");
    Path order = folder.resolve("order");
    Files.writeString(
        file,
        """
        jobs:
          - {name: top, cpus: 0.1, shell: echo top >> order}
          - {name: left, cpus: 0.1, after: [top], shell: sleep 0.5; echo side >> order}
          - {name: right, cpus: 0.1, after: [top], shell: echo side >> order}
          - {name: bottom, cpus: 0.1, after: [left, right], shell: echo bottom >> order}
          - {name: fails, cpus: 0.1, after: [bottom], shell: echo fails >> order; exit 3}
          - {name: never, cpus: 0.1, after: [fails], shell: echo never >> order}
          - {name: nor-this, cpus: 0.1, after: [never], shell: echo never >> order}
          - {name: whatever, cpus: 0.1, after: ['never:any'], shell: echo whatever >> order}
          - {name: mends, cpus: 0.1, after: ['fails:fail', whatever], shell: echo mends >> order}
        """);
    Result submitted = service.cli("submit", file.toString());
    assertEquals(0, submitted.code(), submitted::toString);
    List<String> ids = submitted.out().lines().toList();
    assertEquals(1, service.cli("wait", ids.get(8), ids.get(6)).code(), "one was cancelled");

    assertEquals(
        List.of("top", "side", "side", "bottom", "fails", "whatever", "mends"),
        Files.readAllLines(order));
    List<String> ends = new ArrayList<>();
    for (String id : ids) {
      JsonNode job = RestClient.JSON.readTree(service.cli("show", "--json", id).out());
      ends.add(job.path("name").asText() + " " + job.path("state").asText() + why(job));
    }
    assertEquals(
        List.of(
            "top succeeded",
            "left succeeded",
            "right succeeded",
            "bottom succeeded",
            "fails failed: exit code 3",
            "never cancelled: job " + ids.get(4) + " failed",
            "nor-this cancelled: job " + ids.get(5) + " cancelled",
            "whatever succeeded",
            "mends succeeded"),
        ends);
  }

  private static String why(JsonNode job) {
    return job.path("reason").isNull() ? "" : ": " + job.path("reason").asText();
  }
}
