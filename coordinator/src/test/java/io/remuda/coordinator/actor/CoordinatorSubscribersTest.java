package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the status and the event log say. */
class CoordinatorSubscribersTest extends WithCoordinator {

  @Test
  void the_status_is_told_with_each_tick_and_only_then() {
    tick();
    assertEquals(List.of(new RunNodesStatus("run", List.of())), status.getAllReceived());
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    agent.reports(false, running());
    assertEquals(List.of(), status.getAllReceived());
    tick();
    tick();
    assertEquals(2, status.getAllReceived().size());
  }

  @Test
  void the_status_names_the_nodes_in_order_their_newest_load_and_who_holds_which_device() {
    Agent second = new Agent("n2").joins("boot");
    new Agent("n1").joins("boot");
    second.says(new AgentMessage.Telemetry(List.of(sample("n2"))));
    submit(job(1, 1));
    tick();
    RunNodesStatus now = status.receiveMessage();
    assertEquals("run", now.run());
    assertEquals(
        List.of("n1 true null 1.0", "n2 true 0.17 null"),
        now.nodes().stream()
            .map(
                node ->
                    node.name()
                        + " "
                        + node.reachable()
                        + " "
                        + node.load1()
                        + " "
                        + node.gpus().get(0).task())
            .toList());
  }

  @Test
  void the_status_says_of_a_silent_node_that_it_does_not_answer_and_what_it_still_holds() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    agent.reports(false, running()).goes();
    tick();
    RunNodesStatus.NodeStatus node = status.receiveMessage().nodes().get(0);
    assertFalse(node.reachable());
    assertEquals("1.0", node.gpus().get(0).task());
  }

  @Test
  void a_device_that_is_given_back_is_nobodys_in_the_status() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    agent.reports(false, running()).tells(1, new WorkerEvent.PoolDone(0));
    agent.reports(false, ended(0, null));
    tick();
    assertEquals(null, status.receiveMessage().nodes().get(0).gpus().get(0).task());
  }

  @Test
  void nodes_and_tasks_are_written_to_the_event_log() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.goes();
    List<String> rows =
        eventLog.getAllReceived().stream().flatMap(CoordinatorSubscribersTest::describe).toList();
    assertEquals(List.of("n1 joined", "STARTING", "n1 silent", "UNKNOWN"), rows);
  }

  private static Stream<String> describe(EventFileAppender.Command row) {
    if (row instanceof EventFileAppender.NodeEvent node) {
      return Stream.of(node.node() + " " + node.event());
    }
    return Stream.of(((EventFileAppender.TaskEvent) row).change().to().toString());
  }
}
