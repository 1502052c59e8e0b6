package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.ClusterProcesses;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the time from a signal to the leader until another member acknowledges a submission,
 * which is sent as soon as the signal is. With {@code -Pfaults} only; {@code -Dfailover.kills=30}
 * and {@code -Dfailover.terms=10}. It prints the figures, and fails only if a task of before
 * noticed.
 */
class FailoverFaultIT {
  private static final int KILLS = Integer.getInteger("failover.kills", 3);
  private static final int TERMS = Integer.getInteger("failover.terms", 3);
  private static final List<String> MEMBERS = List.of("a", "b", "c");

  @TempDir private Path folder;
  private ClusterProcesses cluster;

  @BeforeEach
  void start() throws Exception {
    Map<String, ClusterProcesses.Place> places = new LinkedHashMap<>();
    for (String name : MEMBERS) {
      ClusterProcesses.Place here = ClusterProcesses.Place.here();
      boolean own = name.equals("a"); // the others' agents would have the same name
      places.put(
          name, own ? new ClusterProcesses.Place(here.address(), List.of(), List.of()) : here);
    }
    cluster = new ClusterProcesses(Installation.find(), folder, TestPostgres.newUrl(), places);
    cluster.start();
    cluster.member("b").agent("node", "--cpus", "4");
    cluster.member("c").awaitNode("node", "ready");
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void failover_after_a_kill() throws Exception {
    measure("KILL", KILLS);
  }

  @Test
  void failover_after_a_sigterm() throws Exception {
    measure("TERM", TERMS);
  }

  private void measure(String signal, int times) throws Exception {
    List<Long> millis = new ArrayList<>();
    for (int turn = 0; turn < times; turn++) {
      millis.add(failOver(signal, turn));
      System.out.printf("failover: SIG%s %d: %d ms%n", signal, turn, millis.get(turn));
    }
    Collections.sort(millis);
    System.out.printf(
        "failover: %d x SIG%s: p50 %d, p90 %d, p99 %d, max %d ms%n",
        times, signal, part(millis, 50), part(millis, 90), part(millis, 99), part(millis, 100));
  }

  private static long part(List<Long> sorted, int percent) {
    return sorted.get((int) Math.ceil(sorted.size() * percent / 100.0) - 1);
  }

  /** Returns how long a submission took that was sent to a follower just after the signal. */
  private long failOver(String signal, int turn) throws IOException, InterruptedException {
    String leader = cluster.leader("a");
    List<String> followers = MEMBERS.stream().filter(name -> !name.equals(leader)).toList();
    ServiceProcess user = cluster.member(followers.get(turn % followers.size()));
    RestClient client = user.client();
    client.get("/cluster"); // the connection is there
    Path starts = folder.resolve("starts" + turn);
    long lasting = user.submit("echo x >> " + starts + "; sleep 20", "cpus", 0, "retries", 3);
    user.awaitState(lasting, "running");
    user.await("its line", java.time.Duration.ofSeconds(10), () -> Files.exists(starts));
    Map<String, Object> job = user.job("true", "cpus", 0, "clientKey", signal + turn);
    cluster.signal(leader, signal);
    long begin = System.nanoTime();
    long id = submit(client, job);
    final long took = (System.nanoTime() - begin) / 1_000_000;
    user.await(
        "end of " + leader, java.time.Duration.ofSeconds(60), () -> !cluster.isRunning(leader));
    cluster.launch(leader);
    assertEquals("succeeded", user.awaitEnd(id).path("state").asText());
    assertEquals("succeeded", user.awaitEnd(lasting).path("state").asText());
    assertEquals(List.of("x"), Files.readAllLines(starts), "it was started again");
    MEMBERS.forEach(cluster::awaitReady);
    return took;
  }

  private static long submit(RestClient client, Map<String, Object> job)
      throws InterruptedException {
    while (true) {
      try {
        return client.post("/jobs", job).path("ids").path(0).asLong();
      } catch (IOException notNow) {
        Thread.sleep(20);
      }
    }
  }
}
