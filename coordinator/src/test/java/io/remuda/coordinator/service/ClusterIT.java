package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.MemberKeyFingerprints;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.ClusterProcesses;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.LiveStream;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three coordinators on a real PostgreSQL server, as processes, which the tests share; the agents
 * are of this JVM.
 */
@Timeout(240)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // they share the cluster
class ClusterIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Less than a member waits for a new leader before it refuses a request, which is 28 s. */
  private static final Duration MEMBER_WAITS = Duration.ofSeconds(27);

  private static final String TOO_NEW = "its schema has version 1000, this build knows ";

  @TempDir private static Path folder;
  private static String store;
  private static ClusterProcesses cluster;
  private static Cluster nodes;

  @BeforeAll
  static void start() throws Exception {
    store = TestPostgres.newUrl();
    cluster = new ClusterProcesses(Installation.find(), folder, store, "a", "b", "c").start();
    nodes = new Cluster(Installation.find(), cluster.member("b").home(), Map.of());
    nodes.agent("node", "--cpus", "4");
    cluster.member("a").awaitNode("node", "ready");
  }

  @AfterAll
  static void end() {
    nodes.close();
    cluster.close();
  }

  private static String endOf(String member, long job) throws IOException {
    JsonNode end = cluster.member(member).awaitEnd(job);
    return end.path("state").asText() + " " + end.path("exitCode").asText();
  }

  @Test
  @Order(1)
  void each_member_takes_jobs_and_answers_all_questions() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      ServiceProcess member = cluster.member(name);
      long job = member.submit("echo from " + name + "; exit 3", "cpus", 0);
      assertEquals("failed 3", endOf(name, job));
      assertEquals("from " + name, member.log(job, 0, "out").strip());
      assertEquals("node", member.client().get("/nodes").at("/nodes/0/name").asText());
      assertTrue(member.call("show", Long.toString(job)).out().contains("exit code 3"));
      Result run = member.call("run", "--cpus", "0", "--", "echo", "through " + name);
      assertEquals("through " + name + "\n", run.out(), run.err());
      Result shown = member.call("cluster");
      assertTrue(shown.out().contains("LEADS"), shown.out() + shown.err());
    }
  }

  @Test
  @Order(2)
  void what_a_user_is_refused_is_the_same_on_each_member() throws Exception {
    String follower = cluster.follower(cluster.leader("a"));
    Result cancelled = cluster.member(follower).call("cancel", "999");
    assertEquals(1, cancelled.code());
    assertTrue(cancelled.err().contains("999"), cancelled.err());
    Result large = cluster.member(follower).call("submit", "--cpus", "99", "--", "true");
    assertEquals(2, large.code(), large.err());
  }

  @Test
  @Order(3)
  void a_user_that_one_member_has_added_is_known_to_all() throws Exception {
    ServiceProcess owner = cluster.member(cluster.follower(cluster.leader("a")));
    Path file = folder.resolve("ann.json");
    Result added = owner.call("user", "add", "ann", "--out", file.toString());
    assertEquals(0, added.code(), added.err());
    Path home = Files.createDirectories(folder.resolve("ann"));
    for (String name : List.of("a", "b", "c")) {
      // an access file by way of this member
      JsonNode access = RestClient.JSON.readTree(Files.readAllBytes(file));
      ((com.fasterxml.jackson.databind.node.ObjectNode) access)
          .put("rest", cluster.member(name).client().access().rest());
      ((com.fasterxml.jackson.databind.node.ObjectNode) access).remove("others");
      Path own = home.resolve("access.json");
      Files.deleteIfExists(own);
      RestClient.JSON.readValue(access.toString(), ServerAccessFile.class).write(own);
      owner.await(
          "ann at " + name,
          PATIENCE,
          () -> {
            try {
              return RestClient.of(home).get("/jobs").has("jobs");
            } catch (RestFailureException notYet) {
              return false;
            }
          });
    }
  }

  @Test
  @Order(4)
  void a_killed_leader_is_replaced_and_nothing_notices() throws Exception {
    String leader = cluster.leader("a");
    String follower = cluster.follower(leader);
    ServiceProcess user = cluster.member(follower);
    Path starts = folder.resolve("starts");
    Path enough = folder.resolve("enough");
    String lines =
        "i=0; until [ -e %s ]; do i=$((i+1)); echo line $i; sleep 0.3; done".formatted(enough);
    long job = user.submit("echo x >> " + starts + "; " + lines, "cpus", 0, "retries", 3);
    user.awaitState(job, "running");
    LiveStream live = LiveStream.open(user.client().access(), null); // by way of the follower
    live.next("wall", PATIENCE, wall -> wall.at("/nodes/0/name").asText().equals("node"));
    Process logs = user.start("logs", "logs", "-f", Long.toString(job));
    Process run = user.start("run", "run", "--cpus", "0", "--", "sh", "-c", lines + "; exit 7");
    user.await("a second job", PATIENCE, () -> user.client().get("/jobs").path("jobs").size() == 2);
    long second = user.client().get("/jobs").path("jobs").path(0).path("id").asLong(); // newest

    cluster.signal(leader, "KILL");
    long submitted = submittedMeanwhile(user);
    assertFalse(cluster.awaitOtherLeader(follower, leader).isEmpty());
    live.next("wall", PATIENCE, wall -> wall.path("nodes").size() == 1);
    assertEquals("succeeded 0", endOf(follower, submitted));
    Files.createFile(enough);
    assertEquals("succeeded 0", endOf(follower, job));
    assertEquals(List.of("x"), Files.readAllLines(starts), "it was started again");
    assertTrue(logs.waitFor(90, TimeUnit.SECONDS), "logs -f has no end");
    assertEquals(0, logs.exitValue());
    assertEquals(numbered(plain(user, "logs").size()), plain(user, "logs"));
    assertEquals(user.log(job, 0, "out").lines().toList(), plain(user, "logs"));
    assertTrue(run.waitFor(90, TimeUnit.SECONDS), "run has no end");
    assertEquals(7, run.exitValue());
    assertEquals(numbered(plain(user, "run").size()), plain(user, "run"));
    assertEquals(user.log(second, 0, "out").lines().toList(), plain(user, "run"));

    cluster.launch(leader);
    cluster.awaitReady(leader);
  }

  /** Submits a job, which a member may refuse only after it has waited for a leader. */
  private static long submittedMeanwhile(ServiceProcess user) throws IOException {
    Object[] fields = {"cpus", 0, "clientKey", "over"};
    long asked = System.nanoTime();
    try {
      return user.submit("true", fields);
    } catch (RestFailureException refused) {
      long waited = System.nanoTime() - asked;
      assertTrue(waited > MEMBER_WAITS.toNanos(), () -> refused + " after " + waited + " ns");
    }
    return user.submit("true", fields);
  }

  private static List<String> numbered(int last) {
    return IntStream.rangeClosed(1, last).mapToObj(line -> "line " + line).toList();
  }

  private static List<String> plain(ServiceProcess user, String name) throws IOException {
    return Files.readAllLines(user.home().resolveSibling(name + ".out")).stream()
        .filter(line -> !line.startsWith("remuda: "))
        .toList();
  }

  @Test
  @Order(5)
  void a_leader_hands_over_in_a_moment_and_the_named_member_leads() throws Exception {
    String leader = cluster.leader("a");
    String wanted =
        List.of("a", "b", "c").stream().filter(name -> !name.equals(leader)).toList().get(1);
    Result[] over = new Result[1];
    cluster
        .member(leader)
        .await( // the leader may not have heard yet of one that was started a moment ago
            "a hand-over",
            Duration.ofSeconds(60),
            () -> {
              over[0] = cluster.member(leader).call("cluster", "hand-over", wanted);
              return over[0].code() == 0 || !over[0].err().contains("too few coordinators");
            });
    assertEquals(0, over[0].code(), over[0].err());
    assertEquals(wanted + " leads", over[0].out().strip());
    for (String name : List.of("a", "b", "c")) {
      cluster.awaitReady(name);
      assertEquals("succeeded 0", endOf(name, cluster.member(name).submit("true", "cpus", 0)));
    }
  }

  @Test
  @Order(6)
  void a_leader_that_was_stopped_writes_nothing_when_it_wakes_up() throws Exception {
    String leader = cluster.leader("a");
    String follower = cluster.follower(leader);
    cluster.signal(leader, "STOP");
    cluster.awaitOtherLeader(follower, leader);
    long epoch = cluster.member(follower).client().get("/cluster").at("/leader/epoch").asLong();
    cluster.signal(leader, "CONT");
    cluster.awaitReady(leader); // it was removed, and has joined again
    JsonNode now = cluster.member(follower).client().get("/cluster").path("leader");
    assertTrue(now.path("epoch").asLong() >= epoch, now.toString());
    assertFalse(now.path("member").asText().equals(leader), now.toString());
    assertEquals("succeeded 0", endOf(leader, cluster.member(leader).submit("true", "cpus", 0)));
  }

  @Test
  @Order(7)
  void a_minority_does_not_lead_and_says_why() throws Exception {
    String leader = cluster.leader("a");
    List<String> others =
        List.of("a", "b", "c").stream().filter(name -> !name.equals(leader)).toList();
    others.forEach(name -> cluster.signal(name, "KILL"));
    ServiceProcess left = cluster.member(leader);
    left.await("a member that is not ready", PATIENCE, () -> isNotReady(left, "2 are needed"));
    cluster.launch(others.get(0));
    cluster.awaitReady(others.get(0));
    assertEquals("succeeded 0", endOf(leader, left.submit("true", "cpus", 0)));
    cluster.launch(others.get(1));
    cluster.awaitReady(others.get(1));
  }

  /** Asks as a load balancer does, which has no token. */
  private static boolean isNotReady(ServiceProcess member, String why) throws IOException {
    URI address = URI.create(member.client().access().rest());
    assertTrue(InetAddress.getByName(address.getHost()).isLoopbackAddress());
    Result ready = member.tool("curl", folder, Map.of(), "curl", "-sk", address + "/api/v1/ready");
    return ready.out().contains("\"ready\":false") && ready.out().contains(why);
  }

  @Test
  @Order(8)
  void a_server_that_is_in_no_cluster_is_refused_beside_one() throws Exception {
    try (ServiceProcess other =
        new ServiceProcess(Installation.find(), folder.resolve("z").resolve("home"), Map.of())) {
      Result alone = other.call("serve", "--store", store, "--no-agent");
      assertEquals(1, alone.code() == 4 ? 1 : alone.code());
      assertTrue(alone.err().contains("another server uses postgresql://"), alone.err());
      Result both = other.call("serve", "--cluster", cluster.file().toString(), "--store", store);
      assertEquals(2, both.code());
      assertTrue(both.err().contains("exclude each other"), both.err());
      Result none = other.call("serve", "--cluster", cluster.file().toString(), "--member", "z");
      assertTrue(none.err().contains("has no such member, but a, b, c"), none.err());
    }
  }

  /** The members of this test share one file; an agent far away has a copy of an access file. */
  @Test
  @Order(9)
  void the_key_is_renewed_in_three_steps_without_a_stop() throws Exception {
    ServiceProcess user = cluster.member("a");
    ServerAccessFile old = user.client().access();
    try (Cluster far =
        new Cluster(Installation.find(), folder.resolve("far").resolve("home"), Map.of())) {
      Files.createDirectories(far.home());
      old.write(far.home().resolve(ServerAccessFile.FILE));
      far.agent("far", "--cpus", "1");
      user.awaitNode("far", "ready");
      Path starts = folder.resolve("key-starts");
      Path end = folder.resolve("key-end");
      long job =
          user.submit(
              "echo x >> " + starts + "; until [ -e " + end + " ]; do sleep 0.1; done", "cpus", 0);
      user.awaitState(job, "running");
      for (int step = 1; step <= 3; step++) {
        renewKey(user, step);
        if (step == 1) {
          user.client().access().write(far.home().resolve(ServerAccessFile.FILE));
        } else { // all agents dial again, with the file of step 1 and that of the present step
          String leader = cluster.leader("a");
          cluster.handOver(leader);
          cluster.awaitOtherLeader(cluster.follower(leader), leader);
          cluster.awaitReady(leader);
          user.awaitNode("far", "ready");
          user.awaitNode("node", "ready");
        }
        String member = cluster.names().get(step - 1);
        long submitted = cluster.member(member).submit("true", "cpus", 0);
        assertEquals("succeeded 0", endOf(member, submitted));
      }
      Files.createFile(end);
      assertEquals("succeeded 0", endOf("a", job));
      assertEquals(List.of("x"), Files.readAllLines(starts), "it was started again");
      RestFailureException refused =
          assertThrows(RestFailureException.class, () -> new RestClient(old).get("/cluster"));
      assertTrue(refused.getMessage().contains("is not this server"), refused.getMessage());
    }
  }

  private static void renewKey(ServiceProcess user, int step) throws IOException {
    Result renewed = user.call("cluster", "renew-key", "--file", cluster.file().toString());
    assertEquals(0, renewed.code(), renewed.err());
    assertTrue(renewed.out().startsWith("step " + step + " of 3"), renewed.out());
    MemberKeyFingerprints wanted =
        MemberKeyFingerprints.of(
            ClusterSecret.read(LocalMemberConfig.secretOf(cluster.file())).orElseThrow().keys());
    user.await(
        "all members with " + wanted,
        PATIENCE,
        () ->
            user.call("cluster")
                    .out()
                    .lines()
                    .filter(line -> line.endsWith(wanted.toString()))
                    .count()
                == cluster.names().size());
  }

  @Test
  @Order(10)
  void one_that_is_too_old_for_the_state_stays_out_or_does_not_lead_and_says_why()
      throws Exception {
    String place = store.substring(store.indexOf("currentSchema=") + "currentSchema=".length());
    String leader = cluster.leader("a");
    TestPostgres.run("INSERT INTO " + place + ".schema_version VALUES (1000)");
    cluster.signal(leader, "TERM");
    cluster.member(leader).awaitServerEnd();
    cluster.launch(leader);
    awaitReason(leader, TOO_NEW);
    assertEquals("outdated", state(leader, leader));
    String next = cluster.follower(leader);
    String last = "abc".replace(leader, "").replace(next, "");
    cluster
        .member(next)
        .await(
            "a member that is to lead and cannot",
            PATIENCE,
            () ->
                reason(next).contains("it is to lead and cannot open the state: " + TOO_NEW)
                    || reason(last)
                        .contains("it is to lead and cannot open the state: " + TOO_NEW));

    TestPostgres.run("DELETE FROM " + place + ".schema_version WHERE version = 1000");
    for (String name : new String[] {"a", "b", "c"}) {
      cluster.awaitReady(name);
    }
    long held = cluster.member(leader).submit("true", "hold", true);
    assertEquals("held", cluster.member(next).awaitState(held, "held").path("state").asText());
  }

  private static void awaitReason(String name, String why) {
    ServiceProcess member = cluster.member(name);
    member.await(name + " that says: " + why, PATIENCE, () -> reason(name).contains(why));
  }

  /** Returns why a member is not ready, as its users are told. */
  private static String reason(String name) throws IOException {
    JsonNode answer = cluster.member(name).client().get("/cluster");
    boolean own =
        answer.path("member").asText().equals(name); // else it is away, and another answers
    return own ? answer.path("notReady").asText() : "";
  }

  private static String state(String asked, String name) throws IOException {
    for (JsonNode one : cluster.member(asked).client().get("/cluster").path("members")) {
      if (one.path("name").asText().equals(name)) {
        return one.path("state").asText();
      }
    }
    return "";
  }
}
