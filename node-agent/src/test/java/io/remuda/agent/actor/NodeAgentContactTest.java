package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.PlainSettings;
import io.remuda.agent.testkit.TestAgents;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long tasks and agents go on without a word of the coordinator. */
class NodeAgentContactTest extends WithNodeAgent {

  @Test
  void the_keepers_contact_deadline_is_what_is_left_of_the_agents() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    toKeeper();
    clock.advance(Duration.ofSeconds(2));
    tick();
    assertEquals(
        List.of(new KeeperConnectionActor.Renew(List.of("r1/n1/1.0.1"), 4000)), toKeeper());
  }

  @Test
  void the_keeper_is_asked_with_every_tick_for_tasks_without_a_contact_deadline_too() {
    startWelcomed(view("r1/n1/1.0.1"));
    TaskStartOrder order = TestAgents.order("1.0.1");
    wants(
        1,
        new TaskStartOrder(
            order.attempt(),
            order.user(),
            false,
            0,
            order.workload(),
            order.devices(),
            order.threads(),
            order.cuda(),
            order.job(),
            1,
            null,
            null));
    toKeeper();
    tick();
    assertEquals(List.of(new KeeperConnectionActor.Renew(List.of("r1/n1/1.0.1"), 0)), toKeeper());
  }

  @Test
  void a_launched_agent_ends_when_the_contact_deadline_has_passed() {
    startWelcomed();
    clock.advance(Duration.ofMillis(5900));
    tick();
    assertFalse(toKeeper().contains(new KeeperConnectionActor.Shutdown(0)));
    clock.advance(Duration.ofMillis(100));
    tick();
    assertTrue(toKeeper().contains(new KeeperConnectionActor.Shutdown(0)));
  }

  @Test
  void every_order_renews_the_contact_deadline() {
    startWelcomed();
    clock.advance(Duration.ofSeconds(5));
    wants(1);
    clock.advance(Duration.ofSeconds(5));
    tick();
    assertFalse(toKeeper().contains(new KeeperConnectionActor.Shutdown(0)));
  }

  @Test
  void an_agent_that_stays_gives_up_when_no_coordinator_was_there_for_long_and_none_can_be_found() {
    startStaying();
    clock.advance(TestAgents.timing().giveUp().plusMillis(1));
    tick();
    settle();
    assertTrue(refused.get());
    run(Messages.only(NodeAgentCommand.class, "GiveUp"));
    assertFalse(agent.isAlive());
  }

  @Test
  void it_goes_on_while_an_access_file_says_where_a_coordinator_may_be() throws IOException {
    startStaying();
    Files.createFile(TestAgents.settings(folder).access());
    clock.advance(TestAgents.timing().giveUp().plusMillis(1));
    tick();
    settle();
    assertFalse(refused.get());
  }

  @Test
  void it_goes_on_without_an_access_file_while_its_coordinator_is_connected() {
    startStaying();
    run(new NodeAgentCommand.KeeperReady(1, List.of()));
    welcome();
    clock.advance(TestAgents.timing().giveUp().plusMillis(1));
    run(NodeAgentCommand.AccessMissing.INSTANCE);
    assertFalse(refused.get());
  }

  /** An agent that is not launched by a run. */
  private void startStaying() {
    AgentSettings launched = TestAgents.settings(folder);
    start(
        PlainSettings.of(
            "n1",
            "r1",
            launched.access(),
            launched.folder(),
            launched.cache(),
            AgentSettings.EndsWith.NONE,
            launched.timing()));
  }

  @Test
  void an_agent_that_stays_ends_tied_tasks_when_the_contact_deadline_has_passed() {
    startStaying();
    run(new NodeAgentCommand.KeeperReady(1, List.of()));
    welcome();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    clock.advance(Duration.ofSeconds(6));
    tick();
    assertTrue(toTask("1.0.1").contains(new BuiltInWorkerSupervisor.End("no longer wanted")));
    assertTrue(agent.isAlive());
  }
}
