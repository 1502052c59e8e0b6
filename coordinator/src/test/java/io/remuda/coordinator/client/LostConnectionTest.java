package io.remuda.coordinator.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.testkit.TlsListener;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that knows one address, behind which several servers may be. */
@Timeout(60)
class LostConnectionTest {
  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

  private final AtomicInteger asked = new AtomicInteger();
  private ServerSocket socket;
  private RestClient client;

  @BeforeEach
  void listen() throws Exception {
    AccessFile identity = ClusterKey.create("ann", Instant.now()).access(List.of("x:1"));
    socket = TlsListener.listen(identity);
    client =
        new RestClient(
            new ServerAccessFile(
                1,
                null,
                null,
                null,
                "https://127.0.0.1:" + socket.getLocalPort(),
                identity.certificate(),
                null,
                "ann",
                "secret"));
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
  }

  /** Answers after so many connections that end while their request is under way. */
  private void serve(int losses) {
    Thread thread =
        new Thread(
            () -> {
              while (!socket.isClosed()) {
                try (Socket one = socket.accept()) {
                  if (one.getInputStream().read() >= 0 && asked.incrementAndGet() > losses) {
                    one.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
                    one.getOutputStream().flush();
                  }
                } catch (IOException gone) {
                  continue;
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** As a proxy loses it with the coordinator behind it. */
  @Test
  void a_request_whose_connection_is_lost_is_sent_again() throws IOException {
    serve(2);
    assertEquals("{}", client.post("/jobs", Map.of("clientKey", "k")).toString());
    assertEquals(3, asked.get());
  }

  @Test
  void one_that_loses_every_connection_is_given_up() {
    serve(Integer.MAX_VALUE);
    IOException fault =
        assertThrows(
            RestFailureException.class, () -> client.post("/jobs", Map.of("clientKey", "k")));
    assertTrue(fault.getMessage().startsWith("no server answers at "), fault.getMessage());
    assertEquals(4, asked.get());
  }

  @Test
  void where_nothing_listens_one_try_is_enough() throws IOException {
    socket.close();
    IOException fault =
        assertThrows(
            RestFailureException.class, () -> client.post("/jobs", Map.of("clientKey", "k")));
    assertTrue(fault.getMessage().contains("refused"), fault.getMessage());
  }
}
