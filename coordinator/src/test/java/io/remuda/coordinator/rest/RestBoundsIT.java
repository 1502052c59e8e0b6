package io.remuda.coordinator.rest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.EventReader;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A large, slow or endless request costs only its sender. */
@Tag("attack")
@Tag("attack-bad-request")
@Timeout(120)
class RestBoundsIT {
  private static final int MILLIS = 60_000;
  private static final int MEBIBYTE = 1 << 20;

  @TempDir private static Path folder;
  private static ServiceProcess service;
  private static ServerAccessFile access;

  @BeforeAll
  static void start() throws IOException {
    String prefix = "-Dremuda.coordinator.rest.";
    // long enough for large bodies from a crowded machine
    String options = prefix + "head-deadline=5s " + prefix + "body-deadline=10s";
    service =
        new ServiceProcess(
            Installation.find(), folder.resolve("h"), Map.of("JDK_JAVA_OPTIONS", options));
    service.serve("--cpus", "2", "--insecure"); // these requests are written byte by byte
    access = service.client().access();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @AfterEach
  void it_still_serves() throws IOException {
    assertTrue(new RestClient(access).get("/jobs").path("jobs").isArray());
  }

  private static Socket connect() throws IOException {
    URI address = URI.create(access.rest());
    Socket socket = new Socket(InetAddress.getByName(address.getHost()), address.getPort());
    socket.setSoTimeout(MILLIS);
    return socket;
  }

  private static byte[] head(String token, int length) {
    return ("POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + token
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + length
            + "\r\n\r\n")
        .getBytes(US_ASCII);
  }

  private static String answer(Socket socket) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(all);
    } catch (SocketTimeoutException waits) {
      throw new AssertionError("neither an answer nor an end", waits);
    } catch (IOException reset) {
      // what came before counts
    }
    return all.toString(UTF_8);
  }

  @Test
  @Tag("long-attack")
  void six_hundred_slow_bodies_keep_nobody_out() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        Socket socket = connect();
        socket.getOutputStream().write(head(access.token(), 1_000_000));
        slow.add(socket);
      }
      for (int round = 0; round < 10; round++) {
        for (Socket socket : slow) {
          try {
            socket.getOutputStream().write('{');
          } catch (IOException closed) {
            // it has made room
          }
        }
        assertTrue(new RestClient(access).get("/jobs").path("jobs").isArray());
        TimeUnit.MILLISECONDS.sleep(100);
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void a_body_that_comes_too_slowly_is_given_up() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(head(access.token(), 1000));
      socket.getOutputStream().write('{');
      String answer = answer(socket);
      assertTrue(answer.startsWith("HTTP/1.1 408"), answer);
      assertTrue(answer.contains("\"code\":\"too-slow\""), answer);
    }
  }

  @Test
  void without_a_token_nobody_waits_for_a_body() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(head("x", 1_000_000));
      String answer = answer(socket);
      assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
    }
  }

  /** To the parser the byte begins a character of three, of which the line's end is a part. */
  @Test
  void a_head_that_swallows_its_end_is_not_waited_for_long() throws IOException {
    try (Socket socket = connect()) {
      String head = "GET /api/v1/version HTTP/1.1\r\nHost: x\r\nX-A: caf\u00e9\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      String answer = answer(socket);
      assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"), answer);
    }
  }

  private static String post(byte[] body) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(head(access.token(), body.length));
      socket.getOutputStream().write(body);
      socket.shutdownOutput();
      return answer(socket);
    }
  }

  @Test
  void large_bodies_at_once_are_read_one_by_one() throws Exception {
    String job = "{\"argv\":[\"x\"" + ",\"\"".repeat(90) + "],\"count\":0},";
    String start = "{\"jobs\":[{\"argv\":[\"x\"]},";
    byte[] body =
        (start + job.repeat((16 * MEBIBYTE - 100) / job.length()) + "7]}").getBytes(UTF_8);
    ExecutorService senders = Executors.newFixedThreadPool(6);
    try {
      List<Callable<String>> all = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        all.add(() -> post(body));
      }
      for (Future<String> answer : senders.invokeAll(all)) {
        assertTrue(answer.get().startsWith("HTTP/1.1 400"), answer.get());
      }
    } finally {
      senders.shutdownNow();
    }
  }

  private static Optional<JsonNode> followed(long job, int[] bytes) throws IOException {
    try (EventReader events =
        new EventReader(service.client().stream("/jobs/" + job + "/output"))) {
      for (Optional<EventReader.Event> event = events.next();
          event.isPresent();
          event = events.next()) {
        if (event.get().type().equals("out")) {
          String data = RestClient.JSON.readTree(event.get().data()).path("data").asText();
          bytes[0] += java.util.Base64.getDecoder().decode(data).length;
        } else if (event.get().type().equals("end")) {
          return Optional.of(RestClient.JSON.readTree(event.get().data()));
        }
      }
    }
    return Optional.empty();
  }

  @Test
  @Tag("long-attack")
  void three_who_follow_a_large_job_cost_little_memory() throws Exception {
    int tasks = 100;
    long job = service.submit("truncate -s 1048576 /proc/self/fd/1", "count", tasks, "cpus", 0.2);
    service.awaitEnd(job);
    ExecutorService followers = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        all.add(
            followers.submit(
                () -> {
                  int[] bytes = new int[1];
                  assertTrue(followed(job, bytes).isPresent());
                  return bytes[0];
                }));
      }
      while (all.stream().anyMatch(one -> !one.isDone())) {
        TimeUnit.MILLISECONDS.sleep(200);
        assertTrue(new RestClient(access).get("/jobs").path("jobs").isArray());
      }
      for (Future<Integer> one : all) {
        assertEquals(tasks * MEBIBYTE, one.get());
      }
    } finally {
      followers.shutdownNow();
    }
  }
}
