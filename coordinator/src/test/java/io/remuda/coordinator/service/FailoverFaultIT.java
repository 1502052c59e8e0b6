package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.ClusterProcesses;
import io.remuda.coordinator.testkit.CuttableNetwork;
import io.remuda.coordinator.testkit.HostsNetwork;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the time from a signal to the leader until a submission is acknowledged under the next
 * one, and the longest time in which none is; they are sent to a follower, one after the other.
 * With {@code -Pfaults} only; {@code -Dfailover.kills=30}, {@code -Dfailover.terms=10} and {@code
 * -Dfailover.cuts=30} (its host is cut off; as root), and {@code -Dfailover.jobs=100000} for jobs
 * that wait meanwhile. It prints the figures, and fails only if a task of before noticed. {@code
 * -Dfailover.stops=24} stops the leader for 2 s each 20 s, which must not change it.
 */
class FailoverFaultIT {
  private static final int KILLS = Integer.getInteger("failover.kills", 3);
  private static final int TERMS = Integer.getInteger("failover.terms", 3);
  private static final int CUTS = Integer.getInteger("failover.cuts", 2);
  private static final int STOPS = Integer.getInteger("failover.stops", 0);
  private static final int JOBS = Integer.getInteger("failover.jobs", 0);
  private static final int AT_ONCE = 2000;
  private static final List<String> MEMBERS = List.of("a", "b", "c");

  @TempDir private Path folder;
  private ClusterProcesses cluster;

  private void start() throws Exception {
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
    if (JOBS == 0) {
      return;
    }
    ServiceProcess user = cluster.member("b");
    user.awaitState(user.submit("sleep 100000", "cpus", 4), "running"); // so that the others wait
    RestClient client = user.client();
    for (int sent = 0; sent < JOBS; sent += AT_ONCE) {
      List<Map<String, Object>> jobs = new ArrayList<>();
      for (int job = sent; job < Math.min(JOBS, sent + AT_ONCE); job++) {
        jobs.add(Map.of("argv", List.of("true"), "cpus", 4, "clientKey", "w" + job));
      }
      client.post("/jobs", Map.of("jobs", jobs));
    }
  }

  @AfterEach
  void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void failover_after_a_kill() throws Exception {
    measure("KILL", KILLS);
  }

  @Test
  void failover_after_a_sigterm() throws Exception {
    measure("TERM", TERMS);
  }

  @Test
  void a_leader_that_stands_still_for_2_s_leads_on() throws Exception {
    assumeTrue(STOPS > 0);
    start();
    String leader = cluster.leader("a");
    RestClient client = cluster.member(cluster.follower(leader)).client();
    final long epoch = epoch(client);
    for (int turn = 0; turn < STOPS; turn++) {
      cluster.signal(leader, "STOP");
      Thread.sleep(2000); // what is tried
      cluster.signal(leader, "CONT");
      submit(client, cluster.member(leader).job("true", "cpus", 0, "clientKey", "stop" + turn));
      assertEquals(epoch, epoch(client), "another leads after stop " + turn);
      Thread.sleep(18_000); // and recovers from it
    }
    MEMBERS.forEach(cluster::awaitReady);
    assertEquals(epoch, epoch(client));
    System.out.printf("failover: %d x stopped for 2 s: no change of the leader%n", STOPS);
  }

  @Test
  void failover_after_a_cut() throws Exception {
    Optional<HostsNetwork> network = TroubledCluster.network();
    assumeTrue(CUTS > 0 && network.isPresent(), "there are no hosts to cut off");
    List<Took> all = new ArrayList<>();
    try (HostsNetwork hosts = network.get();
        TroubledCluster troubled = TroubledCluster.start(folder.resolve("hosts"), network)) {
      for (int turn = 0; turn < CUTS; turn++) {
        String leader = troubled.cluster().leader("a");
        ServiceProcess user =
            troubled
                .cluster()
                .member(
                    MEMBERS.stream().filter(one -> !one.equals(leader)).findAny().orElseThrow());
        RestClient client = user.client();
        long epoch = epoch(client);
        hosts.cut(leader, CuttableNetwork.Cut.values()[0]);
        all.add(took(user, client, epoch, "CUT" + turn).took());
        hosts.join(leader);
        troubled.awaitWhole();
        System.out.printf("failover: cut %d: next leader %d ms%n", turn, all.get(turn).next());
      }
    }
    print(CUTS + " x cut, next leader", all.stream().map(Took::next).toList());
  }

  /**
   * What a failover took, in milliseconds.
   *
   * @param next from the signal to the end of the gap
   * @param gap the longest time without an acknowledged submission: its end is the first one that
   *     the next leader has acknowledged
   */
  private record Took(long next, long gap) {}

  private void measure(String signal, int times) throws Exception {
    assumeTrue(times > 0);
    start();
    List<Took> all = new ArrayList<>();
    for (int turn = 0; turn < times; turn++) {
      Took took = failOver(signal, turn);
      all.add(took);
      System.out.printf(
          "failover: SIG%s %d: next leader %d ms, gap %d ms%n",
          signal, turn, took.next(), took.gap());
    }
    print(times + " x SIG" + signal + ", next leader", all.stream().map(Took::next).toList());
    print(times + " x SIG" + signal + ", gap", all.stream().map(Took::gap).toList());
  }

  private static void print(String what, List<Long> all) {
    List<Long> millis = new ArrayList<>(all);
    Collections.sort(millis);
    System.out.printf(
        "failover: %s: p50 %d, p90 %d, p99 %d, max %d ms%n",
        what, part(millis, 50), part(millis, 90), part(millis, 99), part(millis, 100));
  }

  private static long part(List<Long> sorted, int percent) {
    return sorted.get((int) Math.ceil(sorted.size() * percent / 100.0) - 1);
  }

  private Took failOver(String signal, int turn) throws IOException, InterruptedException {
    String leader = cluster.leader("a");
    List<String> followers = MEMBERS.stream().filter(name -> !name.equals(leader)).toList();
    ServiceProcess user = cluster.member(followers.get(turn % followers.size()));
    RestClient client = user.client();
    client.get("/cluster"); // the connection is there
    Path starts = folder.resolve("starts" + turn);
    long lasting = user.submit("echo x >> " + starts + "; sleep 20", "cpus", 0, "retries", 3);
    user.awaitState(lasting, "running");
    user.await("its line", Duration.ofSeconds(60), () -> Files.exists(starts));
    long epoch = epoch(client);
    cluster.signal(leader, signal);
    Submitted submitted = took(user, client, epoch, signal + turn);
    user.await("end of " + leader, Duration.ofSeconds(60), () -> !cluster.isRunning(leader));
    cluster.launch(leader);
    assertEquals("succeeded", user.awaitEnd(submitted.id()).path("state").asText());
    assertEquals("succeeded", user.awaitEnd(lasting).path("state").asText());
    assertEquals(List.of("x"), Files.readAllLines(starts), "it was started again");
    MEMBERS.forEach(cluster::awaitReady);
    return submitted.took();
  }

  /** What a failover took, and the job that the next leader has acknowledged first. */
  private record Submitted(Took took, long id) {}

  /** Submits jobs until another leader than that of an epoch has acknowledged one. */
  private static Submitted took(ServiceProcess user, RestClient client, long epoch, String key)
      throws IOException, InterruptedException {
    final long begin = System.nanoTime();
    long last = begin;
    long gap = 0;
    long next = 0;
    long id = 0;
    for (int job = 0; epoch(client) <= epoch || id == 0; job++) {
      id = submit(client, user.job("true", "cpus", 0, "clientKey", key + "-" + job));
      long now = System.nanoTime();
      if (now - last > gap) {
        gap = now - last;
        next = now - begin;
      }
      last = now;
      Thread.sleep(20);
    }
    return new Submitted(new Took(next / 1_000_000, gap / 1_000_000), id);
  }

  /** The epoch in which the newest acknowledged submission may be; 0 while no leader is known. */
  private static long epoch(RestClient client) throws IOException {
    return client.get("/cluster").at("/leader/epoch").asLong();
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
