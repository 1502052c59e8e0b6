package io.remuda.coordinator.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cli.job.FakeServer;
import io.remuda.coordinator.testkit.StandingServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeJoinWaitTest {

  @Test
  void a_node_has_joined_when_its_agent_is_connected() throws Exception {
    try (FakeServer server = new FakeServer()) {
      server.answers(
          "/nodes",
          "{\"nodes\":[{\"name\":\"n1\",\"version\":null},{\"name\":\"n2\",\"version\":\"0.1\"}]}");
      assertFalse(NodeJoinWait.await(server.client(), "n1", Duration.ZERO)); // as it was before
      assertFalse(NodeJoinWait.await(server.client(), "n3", Duration.ZERO));
      assertTrue(NodeJoinWait.await(server.client(), "n2", Duration.ZERO));
    }
  }

  @Test
  void a_server_that_stands_still_meanwhile_does_not_make_it_longer() throws Exception {
    try (StandingServer server = StandingServer.after("{\"nodes\":[]}")) {
      String rest = "http://127.0.0.1:" + server.port();
      RestClient client =
          new RestClient(
              new ServerAccessFile(1, null, null, null, rest, null, true, "ann", "token"));
      long begin = System.nanoTime();
      assertFalse(NodeJoinWait.await(client, "n1", Duration.ofMillis(200)));
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(15).toNanos());
    }
  }
}
