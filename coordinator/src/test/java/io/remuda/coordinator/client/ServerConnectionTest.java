package io.remuda.coordinator.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.ServerConnection.Response;
import io.remuda.coordinator.testkit.TlsListener;
import java.io.IOException;
import java.net.SocketException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of a connection; {@code ServerProofTest} tests with which server it is made. */
@Tag("attack")
@Tag("attack-local-user")
@Timeout(60)
class ServerConnectionTest {

  private static final int MILLIS = 10_000;
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private final List<ServerConnection> idle = new ArrayList<>();

  private static AccessFile key() throws Exception {
    return ClusterKey.create("owner", Instant.now()).access(List.of("127.0.0.1:1"));
  }

  /** Connects to an insecure server: these tests look at its answers, not at its proof. */
  private static ServerConnection open(TlsListener listener) throws IOException {
    String rest = "http://127.0.0.1:" + listener.port();
    return ServerConnection.open(
        new ServerAccessFile(1, null, null, null, rest, null, true, "ann", "token"),
        RequestEnd.NONE);
  }

  private Response ask(ServerConnection connection, String path) throws IOException {
    return connection.ask("GET", path, null, MILLIS, RequestEnd.NONE, idle::add);
  }

  @Test
  void one_that_shows_the_certificate_and_does_not_hold_its_key_is_told_nothing() throws Exception {
    AccessFile server = key();
    try (TlsListener listener =
        TlsListener.showing(0, List.of(server.certificate()), key().privateKey(), OK)) {
      String rest = "https://127.0.0.1:" + listener.port();
      ServerAccessFile access =
          new ServerAccessFile(
              1, null, null, null, rest, server.certificate(), null, "ann", "token");
      assertThrows(
          ServerConnection.NotThisServerException.class,
          () -> ServerConnection.open(access, RequestEnd.NONE).close());
      assertEquals(List.of(), listener.heard());
    }
  }

  @Test
  void an_answer_that_was_read_hands_it_back_and_the_next_goes_the_same_way() throws Exception {
    try (TlsListener listener = TlsListener.plain(OK + "Content-Length: 2\r\n\r\nhi");
        ServerConnection connection = open(listener)) {
      for (int i = 0; i < 3; i++) {
        assertEquals("hi", new String(ask(connection, "/x").body().readAllBytes()));
      }
      assertEquals(List.of(connection, connection, connection), idle);
      assertEquals(1, listener.accepted());
    }
  }

  @Test
  void an_answer_that_was_not_read_to_its_end_costs_the_connection() throws Exception {
    try (TlsListener listener = TlsListener.plain(OK + "Content-Length: 2\r\n\r\nhi");
        ServerConnection connection = open(listener)) {
      Response answer = ask(connection, "/x");
      assertEquals('h', answer.body().read());
      answer.body().close();
      assertEquals(List.of(), idle);
      assertThrows(SocketException.class, () -> ask(connection, "/x"), "it is closed");
    }
  }

  @Test
  void what_came_after_an_answer_is_not_taken_for_the_next() throws Exception {
    try (TlsListener listener = TlsListener.plain(OK + "Content-Length: 2\r\n\r\nhi, more\r\n");
        ServerConnection connection = open(listener)) {
      assertEquals("hi", new String(ask(connection, "/x").body().readAllBytes()));
      assertNoHttp(connection);
    }
  }

  private void assertNoHttp(ServerConnection connection) {
    IOException no = assertThrows(IOException.class, () -> ask(connection, "/x"));
    assertTrue(no.getMessage().contains("did not answer with HTTP"), no::getMessage);
  }

  @Test
  void one_that_closes_after_its_answer_is_not_handed_back() throws Exception {
    String answer = OK + "Connection: close\r\nContent-Length: 2\r\n\r\nhi";
    try (TlsListener listener = TlsListener.plain(answer);
        ServerConnection connection = open(listener)) {
      assertEquals("hi", new String(ask(connection, "/x").body().readAllBytes()));
      assertEquals(List.of(), idle);
    }
  }

  @Test
  void what_is_no_answer_or_has_a_head_without_end_is_given_up() throws Exception {
    List<String> wrong =
        List.of(
            "SSH-2.0-OpenSSH_9.2\r\n",
            "HTTP/1.1 99 No\r\n\r\n",
            OK + "no colon\r\n\r\n",
            "x".repeat(1 << 17),
            OK + "A: a\r\n".repeat(1 << 15));
    for (String answer : wrong) {
      try (TlsListener listener = TlsListener.plain(answer);
          ServerConnection connection = open(listener)) {
        assertNoHttp(connection);
      }
    }
  }

  @Test
  void a_path_that_would_add_a_header_is_not_sent() throws Exception {
    try (TlsListener listener = TlsListener.plain(OK + "Content-Length: 0\r\n\r\n");
        ServerConnection connection = open(listener)) {
      for (String path : List.of("/a b", "/a\r\nX: y", "/\u00e9", "/a\0")) {
        assertThrows(IllegalArgumentException.class, () -> ask(connection, path));
      }
      ask(connection, "/good");
      assertEquals(1, listener.heard().size());
      assertTrue(listener.heard().get(0).startsWith("GET /good HTTP/1.1\r\n"));
    }
  }
}
