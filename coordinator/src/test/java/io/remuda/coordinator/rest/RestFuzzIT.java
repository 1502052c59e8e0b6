package io.remuda.coordinator.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.OpenSockets;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent, the server neither fails nor stops to serve. */
class RestFuzzIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int MILLIS = 60_000;
  private static final int IDLE = Math.min(10_000, mayOpen() - 2000);

  @TempDir private static Path folder;
  private static Cluster service;
  private static ServerAccessFile access;
  private static URI address;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.with("remuda.coordinator.rest.refusals-per-second=10");
    service.serve("--no-agent", "--insecure"); // these requests are written byte by byte
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

  /** The limit of open files of this process. */
  private static int mayOpen() {
    try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
      return limits
          .filter(line -> line.startsWith("Max open files"))
          .mapToInt(line -> Integer.parseInt(line.trim().split(" {2,}")[2]))
          .findFirst()
          .orElse(4096);
    } catch (IOException | NumberFormatException unlimited) {
      return 20_000;
    }
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
                "{\"argv\": [\"true\"]} {\"argv\": [\"true\"]}",
                "{\"argv\": [\"true\"], \"argv\": [\"false\"]}",
                "{\"argv\": [\"true\"], \"clientKey\": \"" + "k".repeat(201) + "\"}",
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
            "\"count\": 1.5",
            "\"count\": \"1\"",
            "\"name\": 7",
            "\"hold\": 1",
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
            "\"gang\": {\"failure\": \"fail\"}, \"retries\": 1",
            "\"gang\": {\"failure\": \"never\"}",
            "\"gang\": {\"roles\": {}}",
            "\"gang\": {\"roles\": {\"a\": 1}}",
            "\"gang\": true, \"maxRunning\": 1",
            "\"gang\": true, \"count\": 4097",
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
            "/api/v1/jobs/77777/events",
            "/api/v1/jobs/77777/output",
            "/api/v1/jobs/77777/cancel",
            "/api/v1/jobs/1/../../../etc/passwd",
            "/api/v1/jobs/%2e%2e/%2e%2e",
            "/api/v1/jobs/77777?limit=-1",
            "/api/v1/jobs/77777?limit=101",
            "/api/v1/jobs/77777/logs?task=-1",
            "/api/v1/jobs/77777/logs?stream=../../etc/passwd",
            "/api/v1/jobs/77777/logs?offset=x",
            "/api/v1/jobs/77777/logs?task=4294967296",
            "/api/v1/jobs/77777/logs?attempt=4294967297",
            "/api/v1/jobs/77777/tasks?first=4294967296",
            "/api/v1/jobs/77777/output?after=1-0",
            "/api/v1/jobs/77777/output?after=0-999999999",
            "/api/v1/jobs?limit=x",
            "/api/v1/jobs?before=-3",
            "/api/v1/nodes/..%2f..%2fx/drain",
            "/api/v1/jobs/" + "9".repeat(5000))) {
      int status = status(request("GET", path, access.token(), ""));
      assertTrue(status == 0 || (status >= 400 && status < 500), status + " for " + path);
    }
  }

  @Test
  void every_refusal_is_told_in_the_same_form() throws IOException {
    for (String path : List.of("/nowhere", "/api/v1/nowhere", "/api/v1/stop", "/api/v1/jobs/0")) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(request("GET", path, access.token(), ""));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(answer.contains("{\"error\":{\"code\":\""), path + ": " + answer);
      }
    }
  }

  @Test
  void nobody_gets_in_by_a_token_that_is_not_one() throws IOException {
    for (String token : List.of("", "x", access.token() + "x", "\u0001", "a".repeat(5000))) {
      int status = status(request("GET", "/api/v1/jobs", token, ""));
      assertTrue(status == 0 || (status >= 400 && status < 500), status + " for " + token);
    }
    await() // others may have used up this second's refusals
        .atMost(SOON)
        .until(() -> status(request("POST", "/api/v1/stop", "x", "")) == 401);
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

  /** From several addresses of the loopback, for one has not enough ports beside other tests. */
  private static Socket connectFrom(String address) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(address, 0));
    socket.connect(
        new InetSocketAddress(RestFuzzIT.address.getHost(), RestFuzzIT.address.getPort()));
    return socket;
  }

  @Test
  void ten_thousand_idle_connections_keep_nobody_out() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < IDLE; i++) {
        idle.add(connectFrom("127.0.0." + (2 + i % 8)));
        if (i % 1000 == 0) {
          assertTrue(new RestClient(access).get("/jobs").path("jobs").isArray());
        }
      }
      assertTrue(new RestClient(access).get("/jobs").path("jobs").isArray());
      idle.get(0).setSoTimeout(MILLIS);
      assertEquals(-1, idle.get(0).getInputStream().read(), "the first has made room");
      service.await("room", SOON, () -> OpenSockets.of(address.getPort()) < 700);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  /** Connections that ask and do not read what is answered. */
  @Test
  void who_does_not_read_answers_keeps_nobody_out() throws IOException {
    byte[] ask = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII);
    List<Socket> deaf = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
        deaf.add(socket);
        try {
          for (int requests = 0; requests < 20; requests++) {
            socket.getOutputStream().write(ask);
          }
        } catch (IOException closed) {
          continue; // it has made room
        }
      }
      service.await(
          "an answer", SOON, () -> new RestClient(access).get("/jobs").path("jobs").isArray());
    } finally {
      for (Socket socket : deaf) {
        socket.close();
      }
    }
  }

  @Test
  void who_guesses_tokens_is_soon_told_to_wait() throws IOException {
    String told = "";
    for (int i = 0; i < 5000 && !told.startsWith("HTTP/1.1 429"); i++) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(request("GET", "/api/v1/jobs", "guess" + i, ""));
        told = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      }
    }
    assertTrue(told.startsWith("HTTP/1.1 429"), told);
    assertTrue(told.contains("Retry-After: 1"), told);
    assertEquals(200, status(request("GET", "/api/v1/jobs", access.token(), "")));
  }
}
