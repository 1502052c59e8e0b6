package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.MessageToAgentSession;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which connection speaks for a node. */
class CoordinatorConnectionsTest extends WithCoordinator {

  @Test
  void another_agent_of_the_same_name_is_turned_away() {
    Agent first = new Agent("n1").joins("boot-1");
    submit(job(1, 0));
    Agent second = new Agent("n1");
    second.joins("boot-2");
    assertEquals(
        List.of(
            new MessageToAgentSession.Send(new CoordinatorMessage.NameTaken("n1")),
            MessageToAgentSession.Close.INSTANCE),
        second.session.getAllReceived());
    second.says(new AgentMessage.Report(99, false, List.of()));
    second.goes();
    tick();
    assertEquals(List.of("1.0.1"), first.orders());
  }

  @Test
  void a_new_connection_of_the_same_agent_replaces_the_old_one() {
    Agent old = new Agent("n1").joins("boot");
    old.news();
    Agent next = new Agent("n1").joins("boot");
    assertEquals(List.of(MessageToAgentSession.Close.INSTANCE), old.session.getAllReceived());
    follower.getAllReceived();
    old.goes();
    assertEquals(List.of(), follower.getAllReceived());
    submit(job(1, 0));
    assertEquals(List.of("1.0.1"), next.orders());
  }

  @Test
  void an_agent_that_was_told_to_end_by_a_signal_is_told_to_the_follower() {
    Agent agent = new Agent("n1").joins("boot");
    follower.getAllReceived();
    agent.says(new AgentMessage.Signalled("SIGTERM"));
    assertEquals(List.of(new ClusterEvent.NodeSignalled("n1")), follower.getAllReceived());
  }

  @Test
  void a_signal_of_a_connection_that_was_replaced_is_not_told() {
    Agent old = new Agent("n1").joins("boot");
    new Agent("n1").joins("boot");
    follower.getAllReceived();
    old.says(new AgentMessage.Signalled("SIGTERM"));
    assertEquals(List.of(), follower.getAllReceived());
  }
}
