package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.ClusterProcesses;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.RunningProxy;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HAProxy and nginx with the files of docs/cluster.md, in front of three coordinators as processes.
 * Each client knows one address, that of a proxy.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // they share the cluster
class ProxyIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Path RECIPE = Path.of("..", "docs", "cluster.md");
  private static final List<String> NAMES = List.of("a", "b", "c");

  @TempDir private static Path folder;
  private static ClusterProcesses cluster;
  private static Cluster nodes;
  private static RunningProxy haproxy;
  private static RunningProxy nginx;

  /** What a user has who knows only a proxy, by the name of the way. */
  private static final Map<String, ServiceProcess> USERS = new LinkedHashMap<>();

  @BeforeAll
  static void start() throws Exception {
    RunningProxy.program("haproxy", "haproxy");
    RunningProxy.program("nginx", "nginx-light libnginx-mod-stream");
    cluster =
        new ClusterProcesses(
                Installation.find(), folder, TestPostgres.newUrl(), NAMES.toArray(String[]::new))
            .start();
    nodes = new Cluster(Installation.find(), cluster.member("b").home(), Map.of());
    nodes.agent("node", "--cpus", "8");
    ServiceProcess owner = cluster.member("a");
    owner.awaitNode("node", "ready");
    ServerAccessFile access = owner.client().access();
    AccessFile proxys = ClusterKey.create("proxy", Instant.now()).access(List.of("x:1"));
    Files.writeString(folder.resolve("members.pem"), access.pin());
    Files.writeString(folder.resolve("proxy.crt"), proxys.certificate());
    Files.writeString(folder.resolve("proxy.key"), proxys.privateKey());
    Files.writeString(
        folder.resolve("proxy.pem"), proxys.certificate() + "\n" + proxys.privateKey());
    int[] ports = freePorts(4);
    haproxy = RunningProxy.haproxy(folder, recipe("haproxy", ports[0], ports[1]));
    nginx = RunningProxy.nginx(folder, recipe("nginx", ports[2], ports[3]));
    user("haproxy-passes", ports[0], access.pin());
    user("haproxy-ends", ports[1], proxys.certificate());
    user("nginx-passes", ports[2], access.pin());
    user("nginx-ends", ports[3], proxys.certificate());
  }

  @AfterAll
  static void end() {
    List<AutoCloseable> all = new ArrayList<>(USERS.values());
    all.add(haproxy);
    all.add(nginx);
    all.add(nodes);
    all.add(cluster);
    for (AutoCloseable one : all) {
      try {
        if (one != null) {
          one.close();
        }
      } catch (Exception fault) {
        throw new AssertionError(fault);
      }
    }
  }

  /** The file of the document, with the addresses and folders of this test. */
  private static String recipe(String language, int passes, int ends) throws IOException {
    String document = Files.readString(RECIPE);
    int from = document.indexOf("```" + language + "\n") + language.length() + 4;
    String text = document.substring(from, document.indexOf("```", from));
    for (int member = 0; member < NAMES.size(); member++) {
      text = text.replace("10.0.0." + (member + 1) + ":7410", addressOf(NAMES.get(member)));
    }
    return text.replace("remuda ann", nameOf(folder.resolve("members.pem")))
        .replaceAll("/etc/(haproxy|nginx)/", folder + "/")
        .replace("bind :7400", "bind 127.0.0.1:" + passes)
        .replace("bind :7443", "bind 127.0.0.1:" + ends)
        .replace("listen 7400", "listen 127.0.0.1:" + passes)
        .replace("listen 7443", "listen 127.0.0.1:" + ends);
  }

  /** Returns the name in the certificate that the members show. */
  private static String nameOf(Path pem) throws IOException {
    try (InputStream in = Files.newInputStream(pem)) {
      return ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in))
          .getSubjectX500Principal()
          .getName()
          .replace("CN=", "");
    } catch (CertificateException fault) {
      throw new IOException(fault);
    }
  }

  private static String addressOf(String member) throws IOException {
    return URI.create(cluster.member(member).client().access().rest()).getAuthority();
  }

  private static int[] freePorts(int count) throws IOException {
    int[] ports = new int[count];
    List<ServerSocket> held = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      ports[at] = held.get(at).getLocalPort();
    }
    for (ServerSocket socket : held) {
      socket.close();
    }
    return ports;
  }

  /** Makes what a user has who knows one proxy. */
  private static void user(String way, int port, String pin) throws IOException {
    ServiceProcess user =
        new ServiceProcess(Installation.find(), folder.resolve(way).resolve("home"), Map.of());
    Files.createDirectories(user.home());
    ServerAccessFile own = cluster.member("a").client().access();
    new ServerAccessFile(
            1, null, null, null, "https://127.0.0.1:" + port, pin, null, own.user(), own.token())
        .write(user.home().resolve(ServerAccessFile.FILE));
    user.await(way + " that answers", PATIENCE, () -> user.call("nodes").code() == 0);
    USERS.put(way, user);
  }

  @Test
  @Order(1)
  void each_member_has_the_metrics_of_the_cluster_for_the_token_that_one_has_made()
      throws Exception {
    ServiceProcess leader = cluster.member(cluster.leader("a"));
    assertEquals(0, leader.call("metrics", "token").code());
    String token = Files.readString(leader.home().resolve("metrics/token"));
    for (String name : List.of("a", "b", "c")) {
      ServiceProcess member = cluster.member(name);
      String asked =
          member
              .call("user", "curl", "/jobs")
              .out()
              .replace("/api/v1/jobs", "/metrics")
              .replaceAll("Bearer [^\"]+", "Bearer " + token);
      Path config = Files.writeString(folder.resolve(name + ".curl"), asked + "silent\n");
      Path page = folder.resolve(name + ".page");
      member.await(
          "metrics of " + name,
          PATIENCE,
          () -> {
            new ProcessBuilder("curl", "-K", config.toString())
                .redirectOutput(page.toFile())
                .start()
                .waitFor();
            return Files.readString(page).contains("\nremuda_node_up{node=\"node\"} 1.0\n");
          });
      String said = Files.readString(page);
      assertTrue(said.contains("\nremuda_cluster_member_up{member=\"c\"} 1.0\n"), said);
      assertEquals(
          1, said.lines().filter(line -> line.matches("remuda_leader\\{.*} 1.0")).count(), said);
    }
  }

  @Test
  @Order(1)
  void commands_work_through_each_proxy_and_output_comes_as_it_is_written() throws Exception {
    for (Map.Entry<String, ServiceProcess> way : USERS.entrySet()) {
      ServiceProcess user = way.getValue();
      Path seen = folder.resolve(way.getKey() + "-seen");
      long job =
          user.submit("echo first; until [ -e " + seen + " ]; do sleep 0.1; done", "cpus", 0);
      Process followed = user.start("logs", "logs", "-f", Long.toString(job));
      user.await(
          "the first line while the job runs, by " + way.getKey(),
          PATIENCE,
          () -> Files.readString(user.home().resolveSibling("logs.out")).contains("first"));
      user.awaitState(job, "running");
      Result beside = user.call("attach", Long.toString(job), "--", "sh", "-c", "echo beside");
      assertEquals("beside", beside.out().strip(), way.getKey() + beside.err());
      Files.createFile(seen);
      assertTrue(followed.waitFor(60, TimeUnit.SECONDS), way.getKey());
      Result run = user.call("run", "--cpus", "0", "--", "sh", "-c", "echo ran; exit 3");
      assertEquals("ran 3", run.out().strip() + " " + run.code(), way.getKey() + run.err());
      Result large = user.call("run", "--cpus", "0", "--env", "X=" + "x".repeat(100_000), "true");
      assertEquals(0, large.code(), way.getKey() + large.err());
    }
  }

  @Test
  @Order(2)
  void a_killed_leader_is_no_error_for_those_who_know_a_proxy_alone() throws Exception {
    String leader = cluster.leader("a");
    AtomicBoolean enough = new AtomicBoolean();
    ExecutorService clients = Executors.newCachedThreadPool();
    try {
      Map<String, Future<List<Long>>> submitting = new LinkedHashMap<>();
      for (Map.Entry<String, ServiceProcess> way : USERS.entrySet()) {
        submitting.put(way.getKey(), clients.submit(submissions(way, enough)));
      }
      for (String way : USERS.keySet()) {
        awaitSubmissions(way, 2);
      }
      cluster.signal(leader, "KILL");
      cluster.awaitOtherLeader(cluster.follower(leader), leader);
      for (String way : USERS.keySet()) {
        awaitSubmissions(way, count(way) + 3);
      }
      enough.set(true);
      for (Map.Entry<String, Future<List<Long>>> way : submitting.entrySet()) {
        List<Long> jobs = way.getValue().get(120, TimeUnit.SECONDS);
        ServiceProcess user = USERS.get(way.getKey());
        for (long job : jobs) {
          assertEquals("succeeded", user.awaitEnd(job).path("state").asText());
        }
        assertEquals(jobs.size(), named(way.getKey()), "one job for each submission");
      }
    } finally {
      enough.set(true);
      clients.shutdownNow();
    }
    cluster.launch(leader);
    cluster.awaitReady(leader);
  }

  /** Submits one job after the other until it is enough; each must be taken. */
  private static Callable<List<Long>> submissions(
      Map.Entry<String, ServiceProcess> way, AtomicBoolean enough) {
    return () -> {
      List<Long> jobs = new ArrayList<>();
      while (!enough.get()) {
        Result submitted =
            way.getValue()
                .call("submit", "--quiet", "--cpus", "0", "--name", way.getKey(), "--", "true");
        assertEquals(0, submitted.code(), way.getKey() + ": " + submitted.err());
        jobs.add(Long.parseLong(submitted.out().strip()));
        Files.writeString(folder.resolve(way.getKey() + "-count"), jobs.size() + "");
      }
      return jobs;
    };
  }

  private static int count(String way) throws IOException {
    Path file = folder.resolve(way + "-count");
    String text = Files.exists(file) ? Files.readString(file) : "";
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  private static void awaitSubmissions(String way, int wanted) {
    cluster
        .member("a")
        .await(wanted + " submissions by " + way, PATIENCE, () -> count(way) >= wanted);
  }

  private static int named(String way) throws IOException {
    JsonNode jobs = USERS.get(way).client().get("/jobs?all&limit=1000&name=" + way).path("jobs");
    return jobs.size();
  }

  @Test
  @Order(3)
  void a_proxy_that_ends_tls_refuses_members_with_another_key() throws Exception {
    Path stranger = Files.createDirectories(folder.resolve("stranger"));
    AccessFile other = ClusterKey.create("eve", Instant.now()).access(List.of("x:1"));
    int[] ports = freePorts(2);
    String text = recipe("nginx", ports[0], ports[1]);
    Path pem = Files.writeString(stranger.resolve("members.pem"), other.certificate());
    String wrong = text.replace(folder.resolve("members.pem").toString(), pem.toString());
    assertFalse(wrong.equals(text));
    try (RunningProxy deceived = RunningProxy.nginx(stranger, wrong)) {
      ServiceProcess user = USERS.get("nginx-ends");
      String url = "https://127.0.0.1:" + ports[1] + "/api/v1/ready";
      user.await(
          "a refusal; " + deceived.describe(),
          PATIENCE,
          () -> user.tool("curl", folder, Map.of(), "curl", "-ski", url).out().contains(" 502 "));
    }
  }
}
