package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gangs of real processes that find each other. */
@Timeout(180)
class GangIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  /** A server with a node of one core, and another of one on the same machine. */
  @TempDir private static Path home;

  private static Cluster service;
  @TempDir private Path folder;

  @BeforeAll
  static void twoNodes() throws IOException {
    service = new Cluster(Installation.find(), home.resolve("h"), Map.of()).serve("--cpus", "1");
    service.agent("n2", "--cpus", "1");
    service.awaitNode("n2", "ready");
  }

  @AfterAll
  static void close() {
    service.close();
  }

  private long gang(String script, int members, Object... fields) throws IOException {
    List<Object> all = new ArrayList<>(List.of("count", members, "gang", true, "cpus", 0.5));
    all.addAll(List.of("workdir", folder.toString()));
    all.addAll(List.of(fields));
    return service.submit(script, all.toArray());
  }

  private static List<String> states(long job) throws IOException {
    List<String> states = new ArrayList<>();
    service
        .client()
        .get("/jobs/" + job + "/tasks")
        .path("tasks")
        .forEach(task -> states.add(task.path("state").asText()));
    return states;
  }

  /** Returns the lines of all members, without an order. */
  private static Set<String> lines(long job, int members) throws IOException {
    Set<String> lines = new TreeSet<>();
    for (int rank = 0; rank < members; rank++) {
      service.log(job, rank, "out").lines().forEach(lines::add);
    }
    return lines;
  }

  @Test
  void the_members_know_each_other() throws Exception {
    long job =
        gang(
            "echo $RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE on $NODE_RANK at"
                + " $MASTER_ADDR start $REMUDA_GANG_START; wc -l < $REMUDA_GANG_FILE;"
                + " echo hosts $REMUDA_GANG_HOSTS",
            4);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals(
        Set.of(
            "0 of 4, 0 of 2 on 0 at 127.0.0.1 start 1",
            "1 of 4, 1 of 2 on 0 at 127.0.0.1 start 1",
            "2 of 4, 0 of 2 on 1 at 127.0.0.1 start 1",
            "3 of 4, 1 of 2 on 1 at 127.0.0.1 start 1",
            "4",
            "hosts 127.0.0.1,127.0.0.1,127.0.0.1,127.0.0.1"),
        lines(job, 4));
  }

  @Test
  void one_that_fails_ends_the_others_though_they_ignore_sigterm_and_is_named() throws Exception {
    long job =
        gang(
            "[ $RANK = 3 ] || trap '' TERM; touch $RANK.began;"
                + " while [ ! -e go ] || [ $RANK != 3 ]; do sleep 0.1; done; exit 7",
            4,
            "grace",
            "1h");
    for (int rank = 0; rank < 4; rank++) {
      Path began = folder.resolve(rank + ".began");
      service.await("rank " + rank, SOON, () -> Files.exists(began));
    }
    Files.createFile(folder.resolve("go"));
    JsonNode end = service.awaitEnd(job);
    assertEquals("failed", end.path("state").asText());
    assertEquals(List.of("cancelled", "cancelled", "cancelled", "failed"), states(job));
    String shown = service.cli("show", Long.toString(job)).out();
    assertTrue(shown.contains(job + ".3: exit code 7"), shown);
    assertTrue(shown.contains("all start together; if one fails, all end"), shown);
  }

  @Test
  void all_start_again_at_one_rendezvous_when_a_member_is_killed() throws Exception {
    long job =
        gang(
            "echo $REMUDA_GANG_START $MASTER_PORT >> starts; touch $RANK.$REMUDA_GANG_START;"
                + " if [ $REMUDA_GANG_START = 1 ]; then"
                + "   if [ $RANK = 1 ]; then"
                + "     while [ ! -e 0.1 ] || [ ! -e 2.1 ] || [ ! -e 3.1 ]; do sleep 0.1; done;"
                + "     kill -9 $$; fi;"
                + "   if [ $RANK = 0 ]; then exit 0; fi; sleep 3600; fi",
            4,
            "retries",
            2);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    List<String> starts = Files.readAllLines(folder.resolve("starts"));
    assertEquals(8, starts.size(), starts.toString());
    assertEquals(2, new HashSet<>(starts).size(), "one port a start: " + starts);
    assertEquals(4, starts.stream().filter(line -> line.startsWith("2 ")).count());
  }

  @Test
  void what_members_printed_before_their_gang_starts_again_is_shown_too() throws Exception {
    ServiceUnderTest.Result run =
        service.cli(
            "run",
            "--gang",
            "--count=2",
            "--cpus=0",
            "--gang-failure=restart",
            "--retries=1",
            "--",
            "sh",
            "-c",
            "cd \"$0\"; echo $RANK in start $REMUDA_GANG_START; touch $RANK.$REMUDA_GANG_START;"
                + " until [ -e 0.$REMUDA_GANG_START ]; do sleep 0.1; done; exit $RANK",
            folder.toString());
    assertEquals(1, run.code(), run.err());
    // a start whose port another program has just taken is no failure, and not both have begun
    List<String> failed = run.out().lines().filter(line -> line.startsWith("[1] ")).toList();
    assertEquals(2, failed.size(), run.out());
    assertEquals(2, Set.copyOf(failed).size(), run.out());
    for (String line : failed) {
      String other = line.replace("[1] 1", "[0] 0");
      assertTrue(run.out().lines().anyMatch(other::equals), run.out());
    }
  }

  @Test
  void a_member_whose_port_is_taken_has_the_gang_start_with_others() throws Exception {
    Map<String, String> oneNode = Map.of("node", "n2"); // whose next ports are known
    long first = gang("echo $MASTER_PORT $REMUDA_GANG_PORT", 1, "labels", oneNode);
    service.awaitEnd(first);
    String[] ports = service.log(first, 0, "out").trim().split(" ");
    int next = Math.max(Integer.parseInt(ports[0]), Integer.parseInt(ports[1])) + 1;
    try (ServerSocket other = new ServerSocket(next)) {
      long second = gang("echo $MASTER_PORT $REMUDA_GANG_PORT", 1, "labels", oneNode);
      assertEquals("succeeded", service.awaitEnd(second).path("state").asText());
      String given = service.log(second, 0, "out");
      assertTrue(!given.contains(Integer.toString(other.getLocalPort())), given);
    }
  }

  @Test
  void at_most_so_many_tasks_of_an_array_run_at_once() throws Exception {
    long job =
        service.submit(
            "mkdir running.$REMUDA_TASK_INDEX; ls -d running.* | wc -l >> counts; sleep 0.2;"
                + " rmdir running.$REMUDA_TASK_INDEX",
            "count",
            12,
            "maxRunning",
            2,
            "cpus",
            0,
            "workdir",
            folder.toString());
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    List<String> counts = Files.readAllLines(folder.resolve("counts"));
    assertEquals(12, counts.size());
    assertTrue(Set.of("1", "2").containsAll(counts), counts.toString());
  }
}
