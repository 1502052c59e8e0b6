package io.remuda.coordinator.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.testkit.StandingServer;
import io.remuda.coordinator.testkit.TlsListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No request lasts beyond its end, whatever the server does; without one each would for long. */
@Timeout(120)
class RequestEndTest {

  private static final Duration ALLOWED = Duration.ofMillis(200);

  /** A wait that nothing else ends takes at least 5 s for each coordinator, or 30 s. */
  private static final Duration LONG = Duration.ofSeconds(15);

  private static ServerAccessFile secure(int port, int others) throws Exception {
    AccessFile key = ClusterKey.create("owner", Instant.now()).access(List.of("127.0.0.1:1"));
    String rest = "https://127.0.0.1:" + port;
    List<String> more = Collections.nCopies(others, rest);
    return new ServerAccessFile(
        1, null, null, null, rest, key.certificate(), null, "ann", "token", more, null, null, null);
  }

  private static RestClient insecure(int port) {
    String rest = "http://127.0.0.1:" + port;
    return new RestClient(
        new ServerAccessFile(1, null, null, null, rest, null, true, "ann", "token"));
  }

  /** A request that fails, and in time. */
  private interface Request {
    void send(RestClient server) throws Exception;
  }

  private static void assertGivesUp(RestClient server, Request request) {
    long begin = System.nanoTime();
    assertThrows(Exception.class, () -> request.send(server.until(RequestEnd.in(ALLOWED))));
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    assertTrue(took.compareTo(LONG) < 0, took::toString);
  }

  private static void assertGivesUp(RestClient server) {
    assertGivesUp(server, client -> client.get("/jobs"));
  }

  @Test
  void a_handshake_that_is_not_answered_and_those_of_other_coordinators_share_the_time()
      throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertGivesUp(new RestClient(secure(silent.getLocalPort(), 5)));
    }
  }

  @Test
  void a_server_that_stands_still_after_its_proof_is_given_up() throws Exception {
    try (StandingServer server = StandingServer.after()) {
      assertGivesUp(insecure(server.port()));
    }
  }

  @Test
  void so_is_one_on_a_connection_that_was_kept() throws Exception {
    try (StandingServer server = StandingServer.after("{}")) {
      RestClient client = insecure(server.port());
      client.get("/jobs");
      assertGivesUp(client);
    }
  }

  @Test
  void an_answer_that_comes_drop_by_drop_is_given_up() throws Exception {
    String ok = "HTTP/1.1 200 OK\r\n";
    for (String first : List.of(ok + "Slow: ", ok + "Content-Length: 1000000\r\n\r\n")) {
      try (StandingServer server = StandingServer.dropping(first)) {
        assertGivesUp(insecure(server.port()));
      }
    }
  }

  /** To close TLS takes a lock that whoever writes has. */
  @Test
  void a_long_request_that_is_not_read_is_given_up() throws Exception {
    AccessFile key = ClusterKey.create("owner", Instant.now()).access(List.of("127.0.0.1:1"));
    CountDownLatch done = new CountDownLatch(1);
    try (ServerSocket listener = TlsListener.listen(key)) {
      Thread proves =
          new Thread(
              () -> {
                try (SSLSocket accepted = (SSLSocket) listener.accept()) {
                  accepted.startHandshake();
                  done.await();
                } catch (IOException | InterruptedException over) {
                  // the test has ended
                }
              });
      proves.setDaemon(true); // to close TLS it may read all that came
      proves.start();
      ServerAccessFile access =
          new ServerAccessFile(
              1,
              null,
              null,
              null,
              "https://127.0.0.1:" + listener.getLocalPort(),
              key.certificate(),
              null,
              "ann",
              "token");
      String body = "x".repeat(32 << 20);
      assertGivesUp(new RestClient(access), client -> client.post("/jobs", body));
      done.countDown();
    }
  }

  @Test
  void one_that_answers_in_time_is_asked_again_without_an_end() throws Exception {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    http.start();
    try {
      RestClient client = insecure(http.getAddress().getPort());
      RequestEnd end = RequestEnd.in(Duration.ofSeconds(60));
      assertTrue(client.until(end).get("/jobs").isObject());
      assertTrue(client.get("/jobs").isObject());
    } finally {
      http.stop(0);
    }
  }

  @Test
  void what_is_over_ends_every_wait_and_what_has_no_end_none() throws Exception {
    RequestEnd over = RequestEnd.in(Duration.ZERO);
    assertTrue(over.isOver());
    assertThrows(SocketTimeoutException.class, () -> over.millis(1000));
    assertFalse(RequestEnd.NONE.isOver());
    assertEquals(1000, RequestEnd.NONE.millis(1000));
    assertEquals(1000, RequestEnd.in(Duration.ofHours(1)).millis(1000));
  }

  @Test
  void who_waits_for_what_is_left_finds_it_over() throws Exception {
    for (int i = 0; i < 20; i++) {
      RequestEnd end = RequestEnd.in(Duration.ofNanos(2_000_000 + i * 50_000));
      long until = System.nanoTime() + end.leftMillis() * 1_000_000;
      while (System.nanoTime() - until < 0) {
        Thread.onSpinWait();
      }
      assertTrue(end.isOver(), "after " + i);
    }
  }

  @Test
  void several_have_equal_parts_of_the_time() {
    RequestEnd hour = RequestEnd.in(Duration.ofHours(1));
    assertEquals(20, hour.part(3).leftMillis() / 60_000.0, 1);
    assertEquals(60, hour.part(1).leftMillis() / 60_000.0, 1);
    assertEquals(RequestEnd.NONE, RequestEnd.NONE.part(2));
    assertEquals(10, hour.orIn(Duration.ofMinutes(10)).leftMillis() / 60_000.0, 1);
    assertEquals(hour, hour.orIn(Duration.ofHours(2)));
  }
}
