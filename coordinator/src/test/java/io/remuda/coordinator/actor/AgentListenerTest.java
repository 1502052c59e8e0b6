package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.KnownLeader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The port of agents is that of the server before, which another program may have for a moment. */
class AgentListenerTest {

  private static final ActorTestKit KIT = ActorTestKit.create();

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  private static TestProbe<AgentListener.Answer> listen(String host, int port) throws Exception {
    TestProbe<AgentListener.Answer> answers = KIT.createTestProbe();
    KIT.spawn(
        AgentListener.create(
            host,
            port,
            ClusterTls.of(ClusterKey.create("x", Instant.now()).access(List.of("x:1"))),
            Duration.ofMinutes(1),
            new HandshakeRateLimiter(1, System::nanoTime),
            KnownLeader.of(KIT.<CoordinatorCommand>createTestProbe().ref()),
            answers.ref()));
    return answers;
  }

  @Test
  void a_port_that_is_taken_for_a_moment_is_waited_for() throws Exception {
    TestProbe<AgentListener.Answer> answers;
    int port;
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = other.getLocalPort();
      answers = listen("127.0.0.1", port);
      answers.expectNoMessage(AgentListener.BIND_PAUSE.multipliedBy(3));
    }
    assertEquals(
        port,
        answers
            .expectMessageClass(AgentListener.Listening.class, Duration.ofSeconds(30))
            .address()
            .getPort());
  }

  @Test
  void an_address_of_another_machine_is_told_at_once() throws Exception {
    String cause =
        listen("192.0.2.1", 0)
            .expectMessageClass(AgentListener.CannotListen.class, Duration.ofSeconds(30))
            .cause();
    assertTrue(cause.contains("192.0.2.1") || cause.contains("assign"), cause);
  }
}
