package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.testkit.TestAgents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an agent finds with its keeper, and what is lost with one. */
class NodeAgentKeeperTest extends WithNodeAgent {
  private static final KeeperPort.Kill KILL_FIRST = new KeeperPort.Kill("r1/n1/1.0.1", 1000);

  @Test
  void an_adopted_task_that_is_wanted_goes_on() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    assertFalse(toKeeper().contains(KILL_FIRST));
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void an_adopted_task_that_nobody_wants_is_ended_once_the_coordinator_has_spoken() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1);
    assertTrue(toKeeper().contains(KILL_FIRST));
    assertEquals(List.of("1.0.1 ENDING"), tasks(report().tasks()));
  }

  @Test
  void what_may_have_run_under_a_lost_keeper_is_over() throws Exception {
    Path task = Files.createDirectories(folder.resolve("tasks/1.0.1"));
    Files.createFile(task.resolve("out"));
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
  }

  @Test
  void what_an_earlier_agent_has_prepared_and_not_begun_is_started_when_its_order_comes_again()
      throws Exception {
    Files.createDirectories(folder.resolve("tasks/1.0.1/scratch"));
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    assertEquals(List.of("1.0.1 STARTING"), tasks(report().tasks()));
  }

  @Test
  void without_a_keeper_nothing_is_started_and_no_revision_counts_as_followed() {
    startWelcomed();
    wants(1);
    agent.run(new NodeAgent.KeeperLost("killed"));
    wants(2, TestAgents.order("1.0.1"));
    tick();
    AgentMessage.Report report = report();
    assertEquals(List.of(), report.tasks());
    assertEquals(1, report.revision(), "an order that was not followed is not missing");
    agent.run(new NodeAgent.KeeperReady(List.of()));
    tick();
    report = report();
    assertEquals(List.of("1.0.1 STARTING"), tasks(report.tasks()));
    assertEquals(2, report.revision());
  }

  @Test
  void a_lost_keeper_is_told_to_a_worker_and_is_the_end_of_a_command() throws Exception {
    makeWorker("1.0.1");
    startWelcomed(view("r1/n1/1.0.1"), view("r1/n1/2.0.1"));
    wants(1, TestAgents.order("1.0.1"), TestAgents.order("2.0.1"));
    agent.run(new NodeAgent.KeeperLost("killed"));
    settle();
    assertEquals(List.of(new JobSupervisor.KeeperGone("killed")), toTask("1.0.1"));
    assertEquals(List.of("1.0.1 RUNNING", "2.0.1 ENDED"), tasks(report().tasks()));
  }
}
