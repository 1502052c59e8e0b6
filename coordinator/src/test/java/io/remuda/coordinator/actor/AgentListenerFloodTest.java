package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.KnownLeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Unknown programs dial the agents' port again and again. */
@Tag("attack")
@Tag("attack-local-user")
@Timeout(60)
class AgentListenerFloodTest {

  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final int PER_SECOND = 2;
  private static final int OPEN_MILLIS = 300;

  private final AtomicLong now = new AtomicLong();

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  @Test
  void beyond_the_rate_a_connection_is_closed_before_its_handshake() throws Exception {
    InetSocketAddress address = listen();
    try (Socket first = dial(address);
        Socket second = dial(address);
        Socket third = dial(address)) {
      assertOpen(first);
      assertOpen(second);
      assertClosed(third);
      now.addAndGet(1_000_000_000L);
      try (Socket later = dial(address)) {
        assertOpen(later);
      }
    }
  }

  private InetSocketAddress listen() throws Exception {
    AccessFile key = ClusterKey.create("x", Instant.now()).access(List.of("x:1"));
    TestProbe<AgentListener.Answer> answers = KIT.createTestProbe();
    KIT.spawn(
        AgentListener.create(
            "127.0.0.1",
            0,
            ClusterTls.of(key),
            Duration.ofMinutes(1),
            new HandshakeRateLimiter(PER_SECOND, now::get),
            KnownLeader.of(KIT.<CoordinatorCommand>createTestProbe().ref()),
            answers.ref()));
    return answers.expectMessageClass(AgentListener.Listening.class).address();
  }

  private static Socket dial(InetSocketAddress address) throws IOException {
    Socket socket = new Socket(address.getAddress(), address.getPort());
    socket.getOutputStream().write(0x16); // a handshake begins so
    return socket;
  }

  private static void assertOpen(Socket socket) throws IOException {
    socket.setSoTimeout(OPEN_MILLIS);
    assertThrows(SocketTimeoutException.class, () -> socket.getInputStream().read());
  }

  private static void assertClosed(Socket socket) throws IOException {
    socket.setSoTimeout(30_000);
    boolean closed;
    try {
      closed = socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      closed = false;
    } catch (IOException reset) {
      closed = true;
    }
    assertTrue(closed, "the server closes it");
  }

  @Test
  void a_pause_earns_a_seconds_worth_and_no_more() {
    HandshakeRateLimiter rate = new HandshakeRateLimiter(PER_SECOND, now::get);
    now.addAndGet(60_000_000_000L);
    int admitted = 0;
    for (int i = 0; i < 10; i++) {
      admitted += rate.admits() ? 1 : 0;
    }
    assertEquals(PER_SECOND, admitted);
  }
}
