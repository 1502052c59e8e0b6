package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.PinnedTls;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics over HTTP, and who may read them. */
class MetricsRouteIT {
  private static final Duration SOON = Duration.ofSeconds(120);

  @TempDir private static Path folder;
  private static Cluster service;

  private record Answer(int status, String type, String body) {}

  @BeforeAll
  static void start() throws IOException {
    SimulatedDriver driver =
        SimulatedDriver.in(folder)
            .says(
                "gpus 1",
                "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB used 1GiB util 37 temp 61"
                    + " power 250000 limit 700000 clock 1980");
    driver.loaded();
    service = new Cluster(Installation.find(), folder.resolve("h"), driver.environment()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static Answer ask(String method, String path, String token, String accept)
      throws IOException {
    ServerAccessFile access = service.client().access();
    HttpsURLConnection connection =
        (HttpsURLConnection) new URL(access.rest() + path).openConnection();
    connection.setSSLSocketFactory(PinnedTls.to(access.pins()));
    connection.setHostnameVerifier((host, session) -> true); // the certificate is known
    connection.setRequestMethod(method);
    if (token != null) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    if (accept != null) {
      connection.setRequestProperty("Accept", accept);
    }
    int status = connection.getResponseCode();
    try (InputStream body =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(
          status,
          String.valueOf(connection.getContentType()),
          body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Answer get(String path, String token) throws IOException {
    return ask("GET", path, token, null);
  }

  private static String owner() throws IOException {
    return service.client().access().token();
  }

  private static String metricsToken() throws IOException {
    assertEquals(0, service.cli("metrics", "token").code());
    return Files.readString(service.home().resolve("metrics/token"));
  }

  @Test
  void a_gpu_has_the_values_that_its_driver_says() throws IOException {
    service.await(
        "readings", SOON, () -> get("/metrics", owner()).body().contains("remuda_gpu_power_watts"));
    Answer page = get("/metrics", owner());
    assertEquals("text/plain; version=0.0.4; charset=utf-8", page.type().toLowerCase());
    List<String> lines = page.body().lines().toList();
    for (String said :
        List.of(
            "remuda_gpu_power_watts{gpu=\"GPU-aa\",index=\"0\",node=\"N\"} 250.0",
            "remuda_gpu_temperature_celsius{gpu=\"GPU-aa\",index=\"0\",node=\"N\",sensor=\"core\"} 61.0",
            "remuda_gpu_memory_used_bytes{gpu=\"GPU-aa\",index=\"0\",node=\"N\"} 1.073741824E9",
            "remuda_node_up{node=\"N\"} 1.0",
            "remuda_agents_connected 1.0",
            "remuda_leader{member=\"server\"} 1.0")) {
      String node = service.client().get("/nodes").at("/nodes/0/name").asText();
      assertTrue(lines.contains(said.replace("\"N\"", '"' + node + '"')), () -> said + page.body());
    }
    assertTrue(page.body().contains("remuda_leader_epoch "), page::body);
    Answer dcgm = get("/metrics/dcgm?hostname=Hostname", owner());
    assertTrue(dcgm.body().contains("DCGM_FI_DEV_POWER_USAGE{Hostname="), dcgm::body);
    assertEquals(400, get("/metrics/dcgm?hostname=host", owner()).status());
  }

  @Test
  void a_client_that_accepts_open_metrics_gets_it() throws IOException {
    Answer page =
        ask("GET", "/metrics", owner(), "application/openmetrics-text;version=1.0.0;q=0.9");
    assertEquals(
        "application/openmetrics-text; version=1.0.0; charset=utf-8", page.type().toLowerCase());
    assertTrue(page.body().endsWith("# EOF\n"), page::body);
  }

  @Test
  void waiting_and_running_jobs_are_counted_and_named_while_they_run() throws IOException {
    String[] words = {"submit", "--quiet", "--name", "long-one", "--", "sleep", "1000"};
    String job = service.cli(words).out().strip();
    String info = "remuda_job_info{job=\"" + job + "\",name=\"long-one\"} 1";
    service.await("it", SOON, () -> get("/metrics", owner()).body().contains(info));
    assertEquals(0, service.cli("cancel", "--now", job).code());
    service.await("its end", SOON, () -> !get("/metrics", owner()).body().contains(info));
    String page = get("/metrics", owner()).body();
    assertTrue(page.contains("remuda_attempts_ended_total{end=\"gone\"} "), page);
    assertTrue(page.contains("remuda_wait_seconds_count "), page);
    assertFalse(page.contains("remuda_run_seconds_count 0"), page);
    assertFalse(page.contains("remuda_store_commit_seconds_count 0"), page);
  }

  @Test
  @Tag("attack")
  void strangers_get_nothing() throws IOException {
    for (String path : List.of("/metrics", "/metrics/", "/metrics/dcgm")) {
      assertEquals(401, get(path, null).status(), path);
      assertEquals(401, get(path, "wrong").status(), path);
    }
  }

  @Test
  @Tag("attack")
  void the_token_for_metrics_opens_metrics_and_nothing_else() throws IOException {
    String token = metricsToken();
    assertEquals(200, get("/metrics", token).status());
    assertEquals(200, get("/metrics/dcgm", token).status());
    for (String path :
        List.of(
            "jobs",
            "nodes",
            "top",
            "usage",
            "history",
            "live",
            "timeline",
            "waste",
            "jobs/1/waiting",
            "live/next",
            "users",
            "cluster",
            "events",
            "metrics",
            "profiles",
            "jobs/1/output",
            "metrics-token")) {
      assertEquals(401, get("/api/v1/" + path, token).status(), path);
    }
    for (String path :
        List.of("jobs", "stop", "users", "metrics-token", "metrics-token/remove", "leases")) {
      assertEquals(401, ask("POST", "/api/v1/" + path, token, null).status(), path);
    }
    assertEquals(405, ask("POST", "/metrics", token, null).status());
  }

  @Test
  void a_token_is_invalid_once_there_is_another_or_none() throws IOException {
    String first = metricsToken();
    String second = metricsToken();
    assertEquals(401, get("/metrics", first).status());
    assertEquals(200, get("/metrics", second).status());
    assertEquals(
        PosixFilePermissions.fromString("rw-------"),
        Files.getPosixFilePermissions(service.home().resolve("metrics/token")));
    assertFalse(service.cli("user", "list").out().contains("@metrics"));
    service.end();
    service.serve();
    assertEquals(200, get("/metrics", second).status(), "after a restart, too");
    assertEquals(0, service.cli("metrics", "token", "--remove").code());
    assertEquals(401, get("/metrics", second).status());
    Result again = service.cli("metrics", "token", "--remove");
    assertTrue(again.out().contains("there is no token for metrics"), again::toString);
  }
}
