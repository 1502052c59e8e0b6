package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When samples come, and when they are known to come no more. */
class CoordinatorTelemetryTest extends WithCoordinator {

  @Test
  void telemetry_is_ordered_from_all_and_passed_on() {
    Agent agent = new Agent("n1").joins("boot");
    run(CoordinatorCommand.StartTelemetry.INSTANCE);
    assertTrue(agent.desired().sampling());
    agent.says(new AgentMessage.Telemetry(List.of(sample("n1"))));
    assertEquals(
        List.of(new TelemetryPostProcessor.Samples(List.of(sample("n1")))),
        postProcessor.getAllReceived());
    assertTrue(new Agent("n2").joins("boot").desired().sampling());
  }

  @Test
  void telemetry_is_closed_once_the_node_says_that_it_has_stopped() {
    Agent agent = new Agent("n1").joins("boot");
    run(CoordinatorCommand.StartTelemetry.INSTANCE);
    agent.reports(true);
    run(CoordinatorCommand.StopTelemetry.INSTANCE);
    follower.getAllReceived();
    agent.reports(true);
    assertEquals(List.of(), follower.getAllReceived());
    agent.reports(false).reports(false);
    assertEquals(List.of(new ClusterEvent.TelemetryClosed("n1")), follower.getAllReceived());
  }

  @Test
  void a_node_that_came_back_while_telemetry_ended_is_closed_too() {
    new Agent("n1").joins("boot").reports(true).goes();
    run(CoordinatorCommand.StartTelemetry.INSTANCE);
    Agent back = new Agent("n1").joins("boot");
    run(CoordinatorCommand.StopTelemetry.INSTANCE);
    follower.getAllReceived();
    back.reports(false);
    assertEquals(List.of(new ClusterEvent.TelemetryClosed("n1")), follower.getAllReceived());
  }

  @Test
  void a_report_from_before_the_order_to_stop_closes_nothing() {
    Agent agent = new Agent("n1").joins("boot");
    long before = agent.revision();
    run(CoordinatorCommand.StartTelemetry.INSTANCE);
    run(CoordinatorCommand.StopTelemetry.INSTANCE);
    follower.getAllReceived();
    agent.says(new AgentMessage.Report(before, false, List.of()));
    assertEquals(List.of(), follower.getAllReceived());
    agent.reports(false);
    assertEquals(List.of(new ClusterEvent.TelemetryClosed("n1")), follower.getAllReceived());
  }

  @Test
  void a_report_from_before_the_start_of_telemetry_closes_nothing() {
    Agent agent = new Agent("n1").joins("boot");
    agent.reports(false);
    run(CoordinatorCommand.StartTelemetry.INSTANCE);
    follower.getAllReceived();
    agent.reports(false).reports(true);
    assertEquals(List.of(), follower.getAllReceived());
  }
}
