package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.testkit.TestAgents;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How an agent follows the orders of its coordinator. */
class NodeAgentOrdersTest extends WithNodeAgent {

  @Test
  void an_order_is_started_once_and_reported_with_its_revision() {
    startWelcomed();
    wants(3, TestAgents.order("1.0.1"));
    wants(3, TestAgents.order("1.0.1"));
    AgentMessage.Report report = report();
    assertEquals(3, report.revision());
    assertEquals(List.of("1.0.1 STARTING"), tasks(report.tasks()));
    assertTrue(Files.exists(folder.resolve("tasks/1.0.1/order.json")));
    changes("1.0.1", TaskPhase.RUNNING);
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void an_order_by_which_a_task_starts_is_reported_with_what_becomes_of_the_task() {
    startWelcomed();
    wants(3, TestAgents.order("1.0.1"));
    assertEquals(List.of(), toCoordinator());
    changes("1.0.1", TaskPhase.RUNNING);
    List<AgentMessage> said = toCoordinator();
    assertEquals(1, said.size(), said::toString);
    AgentMessage.Report report = (AgentMessage.Report) said.get(0);
    assertEquals(3, report.revision());
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report.tasks()));
    reportDue();
    assertEquals(List.of(), toCoordinator());
  }

  @Test
  void an_order_by_which_no_task_starts_is_reported_at_once() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    toCoordinator();
    wants(2);
    assertEquals(1, toCoordinator().size());
  }

  @Test
  void an_older_order_changes_nothing() {
    startWelcomed();
    wants(5, TestAgents.order("1.0.1"));
    wants(4);
    hears(new CoordinatorMessage.Desired(0, 9, false, List.of()));
    assertEquals(List.of(), toTask("1.0.1"));
    assertEquals(5, report().revision());
  }

  @Test
  void what_is_no_longer_wanted_is_ended_reported_once_and_then_forgotten() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    wants(2);
    assertEquals(List.of(new BuiltInWorkerSupervisor.End("no longer wanted")), toTask("1.0.1"));
    toKeeper();
    changes("1.0.1", TaskPhase.ENDED);
    assertEquals(List.of(), toKeeper());
    tick();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()), "with what it has used");
    wants(3);
    assertEquals(List.of(new KeeperConnectionActor.Forget(List.of("r1/n1/1.0.1"))), toKeeper());
    tick();
    assertEquals(List.of(), report().tasks());
  }

  @Test
  void how_one_ended_that_was_to_leave_is_reported_before_it_is_forgotten() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    CoordinatorMessage.Leaving leaving = new CoordinatorMessage.Leaving(FIRST, 0);
    hears(new CoordinatorMessage.Desired(1, 2, false, List.of(), List.of(), List.of(leaving)));
    toKeeper();
    changes("1.0.1", TaskPhase.ENDED);
    assertEquals(List.of(), toKeeper());
    tick();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
    wants(3);
    assertEquals(List.of(new KeeperConnectionActor.Forget(List.of("r1/n1/1.0.1"))), toKeeper());
  }

  @Test
  void a_new_attempt_waits_for_the_end_of_the_one_before_it() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.2"));
    assertEquals(List.of("1.0.1 ENDING"), tasks(report().tasks()));
    changes("1.0.1", TaskPhase.ENDED);
    tick();
    assertEquals(List.of("1.0.1 ENDED", "1.0.2 STARTING"), tasks(report().tasks()));
  }

  @Test
  void an_order_that_cannot_be_prepared_is_refused_with_the_cause() throws Exception {
    startWelcomed();
    Files.createFile(folder.resolve("tasks"));
    wants(1, TestAgents.order("1.0.1"));
    TaskReport task = report().tasks().get(0);
    assertEquals(TaskPhase.REFUSED, task.phase());
    assertTrue(task.end().cause().contains("tasks/1.0.1"), task.end().cause());
  }
}
