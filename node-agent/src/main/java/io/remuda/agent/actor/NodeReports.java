package io.remuda.agent.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.recovery.ReceivedDesiredState;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** The reports of this node to the coordinator. Used only by the node agent's actor. */
final class NodeReports {

  private final TimerScheduler<NodeAgentCommand> timers;
  private final ReportPace pace;
  private final NodeStallDetector stall;
  private final ReceivedDesiredState order;
  private final NodeAttempts tasks;
  private final CoordinatorMembership coordinatorMembership;

  NodeReports(
      TimerScheduler<NodeAgentCommand> timers,
      ReportPace pace,
      NodeStallDetector stall,
      ReceivedDesiredState order,
      NodeAttempts tasks,
      CoordinatorMembership coordinatorMembership) {
    this.timers = timers;
    this.pace = pace;
    this.stall = stall;
    this.order = order;
    this.tasks = tasks;
    this.coordinatorMembership = coordinatorMembership;
  }

  /** Sets how long the live keeper has not answered; 0 if it answers. */
  void keeperSilent(long millis) {
    stall.keeperSilent(millis);
  }

  /** Sends a report. */
  void report() {
    pace.reported();
    timers.cancel(NodeAgentCommand.ReportDue.INSTANCE);
    coordinatorMembership.send(
        new AgentMessage.Report(order.followed(), order.sampling(), tasks.reports()));
  }

  /** Returns whether the changes are reported at once; else {@link #reportSoon} is due. */
  boolean isDueNow() {
    return pace.isDueAtLook(tasks.waiting());
  }

  /** Has the changes reported within {@link ReportPace#TOLD_WITHIN}. */
  void reportSoon() {
    if (!timers.isTimerActive(NodeAgentCommand.ReportDue.INSTANCE)) {
      timers.startSingleTimer(
          NodeAgentCommand.ReportDue.INSTANCE,
          NodeAgentCommand.ReportDue.INSTANCE,
          ReportPace.TOLD_WITHIN);
    }
  }

  /** Has it reported soon that the node follows an order by which a task starts. */
  void followed() {
    pace.followed();
    reportSoon();
  }

  /** Returns whether there is something to report. */
  boolean hasUntold() {
    return pace.hasUntold();
  }

  /** Reports that something hangs, and the tasks unless an idle node skips this heartbeat. */
  void heartbeat() {
    stall.look().ifPresent(coordinatorMembership::send);
    if (pace.isDueAtHeartbeat(tasks.held())) {
      report();
    }
    coordinatorMembership.reportDevices();
  }

  /** Sends a sample if the coordinator wants samples. */
  void sampled(NodeSample sample) {
    if (order.sampling()) {
      pace.sampled();
      coordinatorMembership.send(new AgentMessage.Telemetry(List.of(sample)));
    }
  }
}
