package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.coordinator.testkit.ClusterProcesses;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Release;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster whose members and agents are replaced by another build, one after the other: by the
 * same one under another name, or with {@code -Drolling.from=DIST} those of an older release by
 * this build.
 */
@Timeout(400)
class RollingReplacementFaultIT {
  private static final List<String> MEMBERS = List.of("a", "b", "c");
  private static final List<String> NODES = List.of("n1", "n2");
  private static final String NEXT = "9.9.9";
  private static final long PERIOD_MILLIS = 200; // five jobs a second
  private static final long SEED = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private Installation build;
  private Release release;
  private ClusterProcesses cluster;
  private final Map<String, Process> agents = new HashMap<>();

  /** What the client was told, by the key of its submission. */
  private final Map<Integer, Long> submitted = new ConcurrentHashMap<>();

  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  @BeforeEach
  void start() throws Exception {
    String older = System.getProperty("rolling.from");
    build = Installation.find();
    Installation first =
        older == null
            ? build
            : new Installation(Path.of(older).toAbsolutePath(), folder.resolve("older-cache"));
    release = new Release(first, folder);
    cluster =
        new ClusterProcesses(
            release.installation(), folder, TestPostgres.newUrl(), MEMBERS.toArray(String[]::new));
    cluster.start();
    for (String node : NODES) {
      startAgent(node);
    }
  }

  @AfterEach
  void end() {
    over = true;
    cluster.close();
  }

  private void startAgent(String node) throws IOException {
    agents.put(node, cluster.member("a").agent(node, "--cpus", "4"));
    cluster.member("a").awaitNode(node, "ready");
  }

  @Test
  void all_members_and_agents_are_replaced_under_load_and_no_client_notices() throws Exception {
    Path go = folder.resolve("go");
    String untilGo = "echo x >> " + folder.resolve("starts") + "; until [ -e " + go + " ]; do";
    long throughout = cluster.member("a").submit(untilGo + " sleep 0.2; done; exit 7", "cpus", 0.1);
    cluster.member("a").awaitState(throughout, "running");
    CompletableFuture<Void> load = CompletableFuture.runAsync(this::submitUntilOver);
    awaitJobs(10);
    assertEquals(Map.of("n1", BuildVersion.VERSION, "n2", BuildVersion.VERSION), versions());
    release.replaceBy(build, NEXT);
    for (String member : MEMBERS) {
      cluster.signal(member, "TERM");
      cluster.member(member).awaitServerEnd();
      cluster.launch(member);
      cluster.awaitReady(member);
      awaitWork();
    }
    assertEquals(NEXT, leader().path("version").asText());
    for (String node : NODES) {
      agents.get(node).destroy();
      assertTrue(agents.get(node).waitFor(60, TimeUnit.SECONDS), node + " does not end");
      startAgent(node);
      awaitWork();
    }
    assertEquals(Map.of("n1", NEXT, "n2", NEXT), versions());
    over = true;
    load.get(60, TimeUnit.SECONDS);
    assertEquals(List.of(), List.copyOf(faults));
    assertAllRanOnce();
    Files.createFile(go);
    assertEquals(7, cluster.member("b").awaitEnd(throughout).path("exitCode").asInt());
    assertEquals(List.of("x"), Files.readAllLines(folder.resolve("starts")));
  }

  private JsonNode leader() throws IOException {
    return cluster.member("a").client().get("/cluster").path("leader");
  }

  private Map<String, String> versions() throws IOException {
    Map<String, String> versions = new TreeMap<>();
    for (JsonNode node : cluster.member("b").client().get("/nodes").path("nodes")) {
      versions.put(node.path("name").asText(), node.path("version").asText());
    }
    return versions;
  }

  /**
   * Waits until a job that is submitted from now on has run on an agent that was there all along.
   */
  private void awaitWork() {
    awaitJobs(10);
    long newest = submitted.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    cluster.member("b").awaitEnd(newest);
    agents.forEach((node, agent) -> assertTrue(agent.isAlive(), node + " has ended"));
  }

  /** Waits until so many more jobs were submitted. */
  private void awaitJobs(int more) {
    int before = submitted.size();
    cluster
        .member("a")
        .await(
            more + " more jobs; " + faults,
            PATIENCE,
            () -> submitted.size() >= before + more || !faults.isEmpty());
  }

  private void submitUntilOver() {
    Random random = new Random(SEED);
    long next = System.nanoTime();
    for (int key = 0; !over; key++) {
      String name = MEMBERS.get(random.nextInt(MEMBERS.size()));
      ServiceProcess member = cluster.member(name);
      long asked = System.nanoTime();
      try {
        String line = "echo " + key + " >> " + folder.resolve("ran") + "; sleep 0.5; exit 0";
        submitted.put(key, member.submit(line, "cpus", 0.1, "clientKey", "key-" + key));
      } catch (IOException | RuntimeException fault) {
        long millis = (System.nanoTime() - asked) / 1_000_000;
        faults.add(key + " at " + name + " after " + millis + " ms: " + fault);
      }
      next += TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);
      pauseUntil(next);
    }
  }

  private static void pauseUntil(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  private void assertAllRanOnce() throws IOException {
    List<String> wanted = new ArrayList<>();
    for (Map.Entry<Integer, Long> job : new TreeMap<>(submitted).entrySet()) {
      wanted.add(job.getKey().toString());
      JsonNode end = cluster.member("c").awaitEnd(job.getValue());
      assertEquals("succeeded", end.path("state").asText(), end.toString());
    }
    assertEquals(
        submitted.size(), submitted.values().stream().distinct().count(), "a job for each key");
    List<String> ran = new ArrayList<>(Files.readAllLines(folder.resolve("ran")));
    ran.sort((one, other) -> Integer.valueOf(one).compareTo(Integer.valueOf(other)));
    assertEquals(wanted, ran, "each has run once");
  }
}
