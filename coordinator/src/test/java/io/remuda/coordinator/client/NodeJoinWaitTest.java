package io.remuda.coordinator.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.job.FakeServer;
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
}
