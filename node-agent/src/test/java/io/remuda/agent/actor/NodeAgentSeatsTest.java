package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.testkit.TestAgents;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Orders that share a seat are followed in turn. */
class NodeAgentSeatsTest extends WithNodeAgent {

  @Test
  void orders_of_one_seat_are_followed_one_after_the_other() {
    startWelcomed();
    wants(
        1,
        TestAgents.seated("1.0.1", 5),
        TestAgents.seated("1.1.1", 5),
        TestAgents.seated("1.2.1", 6));
    assertEquals(
        List.of("1.0.1 STARTING", "1.1.1 STARTING", "1.2.1 STARTING"), tasks(report().tasks()));
    assertTrue(Files.exists(folder.resolve("tasks/1.0.1")));
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    assertTrue(Files.exists(folder.resolve("tasks/1.2.1")));
    changes("1.0.1", TaskPhase.RUNNING);
    changes("1.2.1", TaskPhase.ENDED);
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    changes("1.0.1", TaskPhase.ENDED);
    assertTrue(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  @Test
  void an_order_that_is_taken_back_before_its_turn_never_starts() {
    startWelcomed();
    wants(1, TestAgents.seated("1.0.1", 5), TestAgents.seated("1.1.1", 5));
    wants(2, TestAgents.seated("1.0.1", 5));
    assertEquals(List.of("1.0.1 STARTING"), tasks(report().tasks()));
    changes("1.0.1", TaskPhase.ENDED);
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
  }

  @Test
  void an_order_behind_one_that_takes_long_is_given_back() {
    startWelcomed();
    wants(1, TestAgents.seated("1.0.1", 5), TestAgents.seated("1.1.1", 5));
    changes("1.0.1", TaskPhase.RUNNING);
    clock.advance(Duration.ofSeconds(2));
    tick();
    AgentMessage.Report report = report();
    assertEquals(List.of("1.0.1 RUNNING", "1.1.1 REFUSED"), tasks(report.tasks()));
    assertEquals(TaskEnd.Kind.NOT_BEGUN, report.tasks().get(1).end().kind());
  }

  @Test
  void a_task_that_was_there_before_this_agent_has_its_seat() {
    startWelcomed(view("r1/n1/1.0.1"));
    hears(
        new CoordinatorMessage.Desired(
            1,
            2,
            false,
            List.of(TestAgents.seated("1.1.1", 5)),
            List.of(CoordinatorMessage.Kept.of(TestAgents.seated("1.0.1", 5)))));
    assertFalse(Files.exists(folder.resolve("tasks/1.1.1")));
    changes("1.0.1", TaskPhase.ENDED);
    assertTrue(Files.exists(folder.resolve("tasks/1.1.1")));
  }
}
