package io.remuda.coordinator.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.testkit.TlsListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is sent again, and what is said of a server that does not answer. */
@Timeout(60)
class RestClientTest {

  private static final String YES =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

  private static AccessFile server;
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void makeKey() throws Exception {
    server = ClusterKey.create("owner", Instant.now()).access(List.of("127.0.0.1:1"));
  }

  private static RestClient client(List<Integer> ports) {
    List<String> all = new ArrayList<>();
    ports.forEach(port -> all.add("https://127.0.0.1:" + port));
    return new RestClient(
        new ServerAccessFile(
            1,
            null,
            null,
            null,
            all.get(0),
            server.certificate(),
            null,
            "ann",
            "token",
            all.subList(1, all.size()),
            null,
            null,
            null));
  }

  /** A server that dies when it has got a request, again and again. */
  private ServerSocket dying() throws Exception {
    ServerSocket listener = TlsListener.listen(server);
    Thread thread =
        new Thread(
            () -> {
              while (!listener.isClosed()) {
                try (Socket connection = listener.accept()) {
                  BufferedReader in =
                      new BufferedReader(
                          new InputStreamReader(
                              connection.getInputStream(), StandardCharsets.US_ASCII));
                  heard.add(in.readLine());
                } catch (IOException over) {
                  continue; // the test has ended, or the client has
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return listener;
  }

  private static String refusal(RestClient client, String path, Object body) {
    RestFailureException no =
        assertThrows(RestFailureException.class, () -> client.post(path, body));
    assertEquals(RestFailureException.NO_SERVER, no.status());
    return no.getMessage();
  }

  @Test
  void what_may_not_be_done_twice_is_sent_once_also_to_a_cluster() throws Exception {
    try (ServerSocket first = dying();
        ServerSocket second = dying()) {
      RestClient client = client(List.of(first.getLocalPort(), second.getLocalPort()));
      for (String path :
          List.of("/jobs/3/requeue", "/jobs/3/signal?signal=USR1", "/stop?keep=1", "/users")) {
        String message = refusal(client, path, null);
        assertTrue(message.contains("look whether it was done"), message);
        assertEquals(List.of("POST /api/v1" + path + " HTTP/1.1"), List.copyOf(heard));
        heard.clear();
      }
    }
  }

  @Test
  void what_may_be_done_twice_is_sent_to_the_next_coordinator() throws Exception {
    try (ServerSocket first = dying();
        TlsListener second =
            TlsListener.showing(0, List.of(server.certificate()), server.privateKey(), YES)) {
      RestClient client = client(List.of(first.getLocalPort(), second.port()));
      client.post("/jobs/3/cancel", null);
      client.post("/jobs", Map.of("clientKey", "k"));
      assertEquals(List.of("POST /api/v1/jobs/3/cancel HTTP/1.1"), List.copyOf(heard));
      assertTrue(second.heard().get(0).startsWith("POST /api/v1/jobs/3/cancel"));
    }
  }

  @Test
  void what_may_not_be_done_twice_has_a_connection_of_its_own() throws Exception {
    try (TlsListener listener =
        TlsListener.showing(0, List.of(server.certificate()), server.privateKey(), YES)) {
      RestClient client = client(List.of(listener.port()));
      client.get("/jobs");
      client.post("/jobs/3/cancel", null);
      assertEquals(1, listener.accepted());
      String message =
          refusal( // the listener converses with one at a time
              client.until(RequestEnd.in(Duration.ofSeconds(1))), "/jobs/3/requeue", null);
      assertTrue(message.contains("does not answer (no proof in 1 s)"), message);
      assertEquals(2, listener.heard().size());
    }
  }

  @Test
  void a_server_that_stands_still_is_not_said_to_be_missing() throws Exception {
    try (ServerSocket stopped = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      RestClient client =
          client(List.of(stopped.getLocalPort())).until(RequestEnd.in(Duration.ofSeconds(1)));
      RestFailureException no = assertThrows(RestFailureException.class, () -> client.get("/jobs"));
      assertEquals(RestFailureException.NO_SERVER, no.status());
      assertTrue(no.getMessage().contains("it stands still or has too much to do"), no::toString);
      assertFalse(no.getMessage().contains("remuda serve"), no::toString);
    }
  }

  @Test
  void one_that_proves_itself_and_then_stands_still_is_not_said_to_be_missing_either()
      throws Exception {
    try (TlsListener listener =
        TlsListener.showing(0, List.of(server.certificate()), server.privateKey(), "")) {
      RestClient client =
          client(List.of(listener.port())).until(RequestEnd.in(Duration.ofSeconds(2)));
      RestFailureException no = assertThrows(RestFailureException.class, () -> client.get("/jobs"));
      assertTrue(no.getMessage().contains("it stands still or has too much to do"), no::toString);
      assertFalse(no.getMessage().contains("remuda serve"), no::toString);
    }
  }
}
