package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.GangTerms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GangPortsTest {
  private final GangPorts agent = new GangPorts();
  private final GangPorts another = new GangPorts();

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The order of the only member, whose own port is another than the gang's. */
  private static TaskStartOrder order(int masterPort) throws IOException {
    GangStart.Member member = new GangStart.Member("n1", "127.0.0.1", freePort(), List.of());
    return GangVariablesTest.order(
        0, GangTerms.USUAL, new GangStart(1, 0, masterPort, List.of(member)));
  }

  @Test
  void a_port_that_is_listened_on_is_refused_by_its_number() throws IOException {
    try (ServerSocket other = new ServerSocket(0)) {
      String why = agent.take(order(other.getLocalPort())).orElseThrow();
      assertTrue(why.startsWith("port " + other.getLocalPort() + " is in use"), why);
    }
  }

  @Test
  void a_port_is_given_once_on_a_machine_until_its_member_has_ended() throws IOException {
    TaskStartOrder order = order(freePort());
    assertEquals(Optional.empty(), agent.take(order));
    assertEquals(Optional.empty(), agent.take(order), "it is its own already");
    assertTrue(another.take(order).isPresent());
    agent.release(order.attempt());
    assertEquals(Optional.empty(), another.take(order));
    another.release(order.attempt());
  }

  @Test
  void the_program_can_listen_on_the_port() throws IOException {
    int port = freePort();
    TaskStartOrder order = order(port);
    assertEquals(Optional.empty(), agent.take(order));
    try (ServerSocket program = new ServerSocket()) {
      program.setReuseAddress(false);
      program.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
    agent.release(order.attempt());
  }

  @Test
  void a_task_without_a_gang_needs_none() {
    assertEquals(Optional.empty(), agent.take(GangVariablesTest.order(0, null, null)));
  }
}
