package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** How an agent ends. */
class NodeAgentEndTest extends WithNodeAgent {

  @Test
  void it_ends_its_keeper_first_and_then_itself() {
    startWelcomed();
    hears(new CoordinatorMessage.EndNode("the run is over", 1000));
    assertTrue(toKeeper().contains(new KeeperConnectionActor.Shutdown(1000)));
    assertTrue(toCoordinator().contains(new AgentMessage.Leaving("the run is over")));
    assertTrue(agent.isAlive());
    wants(1, TestAgents.order("1.0.1"));
    assertFalse(Files.exists(folder.resolve("tasks")), "nothing is started at the end");
    run(NodeAgentCommand.KeeperEnded.INSTANCE);
    assertFalse(agent.isAlive());
  }

  @Test
  void it_waits_for_its_keeper_no_longer_than_a_while() {
    startWelcomed();
    run(new NodeAgentCommand.Leave("signal"));
    run(Messages.only(NodeAgentCommand.class, "GiveUp"));
    assertFalse(agent.isAlive());
  }

  @Test
  void an_agent_of_a_servers_allocation_tells_a_signal_and_waits_for_the_order() {
    startWelcomed();
    run(new NodeAgentCommand.AwaitOrder("signal"));
    assertTrue(toCoordinator().contains(new AgentMessage.Signalled("signal")));
    assertFalse(toKeeper().stream().anyMatch(KeeperConnectionActor.Shutdown.class::isInstance));
    hears(new CoordinatorMessage.EndNode("the server is stopped", 1000));
    assertTrue(toKeeper().contains(new KeeperConnectionActor.Shutdown(1000)));
  }

  @Test
  void without_a_coordinator_it_does_not_wait_for_an_order() {
    startLaunched();
    run(new NodeAgentCommand.AwaitOrder("signal"));
    run(Messages.only(NodeAgentCommand.class, "GiveUp"));
    assertFalse(agent.isAlive());
  }

  @Test
  void a_refused_agent_says_so_and_ends() {
    startWelcomed();
    hears(new CoordinatorMessage.Refused("agent is build 0.0.9"));
    assertTrue(refused.get());
    assertTrue(toKeeper().contains(new KeeperConnectionActor.Shutdown(1000)));
  }
}
