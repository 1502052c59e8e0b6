package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ServerAccess;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent, the server neither fails nor stops to serve. */
class RestFuzzIT {
  private static final int MILLIS = 20_000;

  @TempDir private static Path folder;
  private static ServiceProcess service;
  private static ServerAccess access;
  private static URI address;

  @BeforeAll
  static void start() throws IOException {
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--no-agent");
    access = service.client().access();
    address = URI.create(access.rest());
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @AfterEach
  void it_still_serves() throws IOException {
    assertTrue(service.client().get("/jobs").path("jobs").isArray());
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getByName(address.getHost()), address.getPort());
    socket.setSoTimeout(MILLIS);
    return socket;
  }

  /** The status of the answer, or 0 if the server just hangs up. */
  private static int status(byte[] request) throws IOException {
    try (Socket socket = connect()) {
      try {
        socket.getOutputStream().write(request);
        socket.shutdownOutput();
      } catch (IOException hungUp) {
        // it may have answered all the same
      }
      return status(socket.getInputStream());
    }
  }

  private static int status(InputStream in) {
    try {
      byte[] head = in.readNBytes(12); // HTTP/1.1 400
      String text = new String(head, StandardCharsets.US_ASCII);
      return text.startsWith("HTTP/") ? Integer.parseInt(text.substring(9, 12)) : 0;
    } catch (IOException reset) {
      return 0;
    }
  }

  private static byte[] request(String method, String path, String token, String body) {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
            + token
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + content.length
            + "\r\n\r\n";
    byte[] all = new byte[head.length() + content.length];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, all, 0, head.length());
    System.arraycopy(content, 0, all, head.length(), content.length);
    return all;
  }

  private static int post(String body) throws IOException {
    return status(request("POST", "/api/v1/jobs", access.token(), body));
  }

  @Test
  void bodies_that_are_no_job_are_refused_as_such() throws IOException {
    List<String> bodies =
        new ArrayList<>(
            List.of(
                "",
                "{",
                "null",
                "[]",
                "7",
                "\"x\"",
                "{}",
                "{\"jobs\": 3}",
                "{\"jobs\": []}",
                "{\"jobs\": [3]}",
                "{\"jobs\": [{}], \"x\": 1}",
                "{\"argv\": []}",
                "{\"argv\": [\"\"]}",
                "{\"argv\": [\"a\\u0000b\"]}",
                "{\"argv\": \"x\", \"shell\": \"y\"}",
                "{\"argv\": [[\"x\"]]}",
                "[".repeat(50_000)));
    for (String field :
        List.of(
            "\"name\": \"\"",
            "\"name\": \"a\\nb\"",
            "\"workdir\": \"relative\"",
            "\"workdir\": \"/\\u0000\"",
            "\"umask\": \"999\"",
            "\"count\": 0",
            "\"count\": 1000000000",
            "\"count\": \"many\"",
            "\"cpus\": -1",
            "\"cpus\": 1e999",
            "\"mem\": \"lots\"",
            "\"mem\": \"99999999999TiB\"",
            "\"gpus\": -1",
            "\"gpuMem\": \"1GiB\", \"gpus\": 0",
            "\"labels\": 3",
            "\"policy\": \"best\"",
            "\"priority\": 99999999999",
            "\"after\": [\"x\"]",
            "\"after\": [\"0\"]",
            "\"after\": [\"99999\"]",
            "\"after\": [\"1:maybe\"]",
            "\"timeLimit\": \"soon\"",
            "\"retries\": -1",
            "\"retries\": 100000",
            "\"env\": {\"A=B\": \"c\"}",
            "\"env\": {\"\": \"c\"}",
            "\"env\": [1]",
            "\"gang\": true, \"retries\": 1",
            "\"unknown\": 1")) {
      bodies.add("{\"argv\": [\"true\"], " + field + "}");
    }
    for (String body : bodies) {
      int status = post(body);
      assertTrue(status >= 400 && status < 500, status + " for " + shortened(body));
    }
  }

  private static String shortened(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "..." : text;
  }

  @Test
  void paths_and_numbers_that_make_no_sense_are_refused() throws IOException {
    for (String path :
        List.of(
            "/",
            "/api",
            "/api/v1",
            "/api/v2/jobs",
            "/api/v1/jobs/0",
            "/api/v1/jobs/-1",
            "/api/v1/jobs/1e3",
            "/api/v1/jobs/99999999999999999999",
            "/api/v1/jobs/77777",
            "/api/v1/jobs/1/../../../etc/passwd",
            "/api/v1/jobs/%2e%2e/%2e%2e",
            "/api/v1/jobs/77777/logs?task=-1",
            "/api/v1/jobs/77777/logs?stream=../../etc/passwd",
            "/api/v1/jobs/77777/logs?offset=x",
            "/api/v1/jobs?limit=x",
            "/api/v1/jobs?before=-3",
            "/api/v1/nodes/..%2f..%2fx/drain",
            "/api/v1/jobs/" + "9".repeat(5000))) {
      int status = status(request("GET", path, access.token(), ""));
      assertTrue(status == 0 || (status >= 400 && status < 500), status + " for " + path);
    }
  }

  @Test
  void nobody_gets_in_by_a_token_that_is_not_one() throws IOException {
    for (String token : List.of("", "x", access.token() + "x", "\u0001", "a".repeat(5000))) {
      int status = status(request("GET", "/api/v1/jobs", token, ""));
      assertTrue(status == 0 || (status >= 400 && status < 500), status + " for " + token);
    }
    assertEquals(401, status(request("POST", "/api/v1/stop", "x", "")));
  }

  @Test
  void bytes_that_are_no_request_close_their_connection() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[1 + random.nextInt(3000)];
      random.nextBytes(bytes);
      int status = status(bytes);
      assertTrue(status < 500 || status == 501, "status " + status); // 501: no such method
    }
  }

  @Test
  void a_body_that_is_too_large_is_refused() throws IOException {
    int status = post("{\"argv\": [\"" + "x".repeat(20 << 20) + "\"]}");
    assertTrue(status == 0 || status == 413, "status " + status);
  }

  @Test
  void many_idle_connections_cost_no_more_than_their_turn() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 400; i++) {
        idle.add(connect());
      }
      assertTrue(new RestClient(access).get("/jobs").path("jobs").isArray());
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }
}
