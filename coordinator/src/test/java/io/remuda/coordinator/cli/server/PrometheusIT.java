package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Prometheus reads a server over TLS, as {@code scrape-config} tells it to, and the dashboards
 * find their series there.
 */
class PrometheusIT {
  private static final Duration SOON = Duration.ofSeconds(120);
  private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
  private static final Path GRAFANA = Path.of("..", "docs", "grafana");

  @TempDir private static Path folder;
  private static Cluster service;
  private static Process prometheus;
  private static String address;
  private static String config;

  @BeforeAll
  static void start() throws Exception {
    assertTrue(Files.isExecutable(PROMETHEUS), "checks/wanted installs Debian's prometheus");
    SimulatedDriver driver =
        SimulatedDriver.in(folder)
            .says(
                "gpus 2",
                "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB used 1GiB util 37",
                "gpu 1 uuid GPU-bb name \"NVIDIA H200\" memory 140GiB used 1GiB util 0");
    driver.loaded();
    service =
        new Cluster(Installation.find(), folder.resolve("h"), driver.environment())
            .with("remuda.coordinator.metrics.users=true")
            .serve();
    Result printed = service.cli("metrics", "scrape-config", "--folder", folder + "/p");
    assertEquals(0, printed.code(), printed::toString);
    config = printed.out();
    Path file = folder.resolve("prometheus.yml");
    Files.writeString(file, "global:\n  scrape_interval: 1s\n" + config);
    Result checked = tool(null, PROMTOOL.toString(), "check", "config", file.toString());
    assertEquals(0, checked.code(), checked::toString);
    for (String[] job :
        List.of(
            new String[] {"submit", "--quiet", "--gpus", "1", "--", "sleep", "1000"},
            new String[] {"submit", "--quiet", "--gpus", "2", "--", "sleep", "1000"},
            new String[] {"submit", "--quiet", "--", "true"})) {
      assertEquals(0, service.cli(job).code());
    }
    int port = freePort();
    address = "http://127.0.0.1:" + port;
    prometheus =
        new ProcessBuilder(
                PROMETHEUS.toString(),
                "--config.file=" + file,
                "--storage.tsdb.path=" + folder.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    service.await("two scraped pages", SOON, () -> value("sum(up)") == 2);
  }

  @AfterAll
  static void end() throws InterruptedException {
    if (prometheus != null) {
      prometheus.destroy();
      prometheus.waitFor(SOON.toSeconds(), TimeUnit.SECONDS);
    }
    if (service != null) {
      service.close();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Runs a program with this on its standard input. */
  private static Result tool(String input, String... words) throws Exception {
    Path in = folder.resolve("in");
    Path out = folder.resolve("out");
    Files.writeString(in, input == null ? "" : input);
    Process program =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .start();
    assertTrue(program.waitFor(SOON.toSeconds(), TimeUnit.SECONDS));
    return new Result(program.exitValue(), Files.readString(out), "");
  }

  private static JsonNode query(String query) throws IOException, InterruptedException {
    URI uri =
        URI.create(
            address + "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    JsonNode json = RestClient.JSON.readTree(answer.body());
    assertEquals("success", json.path("status").asText(), () -> query + ": " + json);
    return json.at("/data/result");
  }

  /** Returns the first value; NaN without one, also while Prometheus does not answer yet. */
  private static double value(String query) throws InterruptedException {
    try {
      return query(query).at("/0/value/1").asDouble(Double.NaN);
    } catch (IOException early) {
      return Double.NaN;
    }
  }

  @Test
  void a_disk_of_this_machine_has_what_the_kernel_counts() throws Exception {
    service.await("a disk", SOON, () -> hasData("remuda_node_disk_read_bytes_total"));
    long kernel = 0;
    for (String line : Files.readAllLines(Path.of("/proc/diskstats"))) {
      String[] fields = line.strip().split("\\s+");
      boolean whole = Files.exists(Path.of("/sys/block", fields[2], "device"));
      kernel += whole ? Long.parseLong(fields[5]) * 512 : 0;
    }
    double told = value("sum(remuda_node_disk_read_bytes_total)");
    assertTrue(told > 0 && told <= kernel, () -> told + " of " + fieldsOf("/proc/diskstats"));
  }

  private static String fieldsOf(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException fault) {
      return fault.toString();
    }
  }

  private static boolean hasData(String query) throws IOException, InterruptedException {
    return !query(query).isEmpty();
  }

  @Test
  void the_certificate_of_the_server_is_checked() {
    assertTrue(config.contains("ca_file: "), config);
    assertFalse(config.contains("insecure"), config);
  }

  @Test
  void readings_have_arrived_by_both_names() {
    service.await(
        "readings",
        SOON,
        () -> value("remuda_gpu_utilization_ratio{gpu=\"GPU-aa\",engine=\"sm\"}") == 0.37);
    service.await(
        "readings of the other page",
        SOON,
        () -> value("DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-aa\"}") == 37);
  }

  @Test
  void promtool_finds_nothing() throws Exception {
    for (String line : List.of("a page", "its rules")) {
      Result checked =
          line.equals("a page")
              ? tool(page(), PROMTOOL.toString(), "check", "metrics")
              : tool(null, PROMTOOL.toString(), "check", "rules", GRAFANA + "/alerts.yml");
      assertEquals(0, checked.code(), () -> line + ": " + checked);
    }
  }

  private static String page() throws Exception {
    Result lines = service.cli("user", "curl", "/jobs");
    String all =
        lines.out().replaceFirst("url = \"([^\"]*)/api/v1/jobs\"", "url = \"$1/metrics\"\nsilent");
    Result got = tool(all, "curl", "-K", "-");
    assertEquals(0, got.code(), got::toString);
    return got.out();
  }

  @Test
  void every_query_of_the_dashboards_and_the_alerts_finds_its_series() throws Exception {
    List<String> queries = new ArrayList<>();
    for (String name : List.of("remuda.json", "remuda-nodes.json")) {
      JsonNode board = RestClient.JSON.readTree(GRAFANA.resolve(name).toFile());
      for (JsonNode panel : board.path("panels")) {
        for (JsonNode target : panel.path("targets")) {
          queries.add(
              target
                  .path("expr")
                  .asText()
                  .replace("$__rate_interval", "10s")
                  .replace("$node", ".*"));
        }
      }
    }
    assertTrue(queries.size() > 50, queries::toString);
    for (String query : queries) {
      service.await(query, SOON, () -> hasData(query));
    }
    for (String rules : Files.readAllLines(GRAFANA.resolve("alerts.yml"))) {
      for (String name : rules.replaceAll("[^a-z0-9_ ]", " ").split(" ")) {
        if (name.startsWith("remuda_")) {
          service.await(name, SOON, () -> hasData(name));
        }
      }
    }
  }
}
