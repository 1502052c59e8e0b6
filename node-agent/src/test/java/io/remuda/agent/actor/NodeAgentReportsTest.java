package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.Messages;
import io.remuda.agent.testkit.TestAgents;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an agent reports of its tasks, and when. */
class NodeAgentReportsTest extends WithNodeAgent {

  @Test
  void a_change_is_reported_at_once_and_progress_with_the_next_heartbeat() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.RUNNING);
    toCoordinator();
    changes("1.0.1", TaskPhase.RUNNING);
    assertEquals(List.of(), toCoordinator());
    tick();
    assertEquals(List.of("1.0.1 RUNNING"), tasks(report().tasks()));
  }

  @Test
  void an_idle_node_whose_samples_say_that_it_lives_reports_less_often() {
    startWelcomed();
    hears(new CoordinatorMessage.Desired(1, 1, true, List.of()));
    toCoordinator();
    int reports = 0;
    for (int second = 0; second < 8; second++) {
      run(new NodeAgentCommand.Sampled(SAMPLE));
      tick();
      reports += report() == null ? 0 : 1;
    }
    assertEquals(2, reports);
    tick();
    assertNotNull(report(), "without a sample, as from a driver that hangs, it reports");
    wants(2, TestAgents.order("1.0.1"));
    hears(new CoordinatorMessage.Desired(1, 3, true, List.of(TestAgents.order("1.0.1"))));
    toCoordinator();
    run(new NodeAgentCommand.Sampled(SAMPLE));
    tick();
    assertNotNull(report(), "with a task it reports");
  }

  @Test
  void with_much_to_do_several_changes_are_told_together() {
    startWelcomed();
    TaskStartOrder[] orders = new TaskStartOrder[20];
    for (int index = 0; index < orders.length; index++) {
      orders[index] = TestAgents.withSlot("1." + index + ".1", 5);
    }
    wants(1, orders);
    toCoordinator();
    changes("1.0.1", TaskPhase.RUNNING);
    assertEquals(List.of(), toCoordinator());
    run(Messages.only(NodeAgentCommand.class, "ReportDue"));
    assertEquals("1.0.1 RUNNING", tasks(report().tasks()).get(0));
  }

  @Test
  void an_end_is_reported_until_the_coordinator_no_longer_asks() {
    startWelcomed();
    wants(1, TestAgents.order("1.0.1"));
    changes("1.0.1", TaskPhase.ENDED);
    tick();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
    wants(1, TestAgents.order("1.0.1"));
    tick();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
  }
}
