package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.job.NodeMembership;
import io.remuda.coordinator.node.PendingOutputReads;
import io.remuda.coordinator.node.WorkerEventRelay;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what follows from a message of a node's agent. One thread. */
final class AgentMessageHandler {

  private static final Logger LOG = LoggerFactory.getLogger(AgentMessageHandler.class);

  private final NodeMembership membership;
  private final WorkerEventRelay workers;
  private final PendingOutputReads outputReads;
  private final ClusterSubscribers subscribers;

  AgentMessageHandler(
      NodeMembership membership,
      WorkerEventRelay workers,
      PendingOutputReads outputReads,
      ClusterSubscribers subscribers) {
    this.membership = membership;
    this.workers = workers;
    this.outputReads = outputReads;
    this.subscribers = subscribers;
  }

  /**
   * @param now monotonic time in nanoseconds
   */
  Decision heard(String node, AgentMessage message, long now) {
    if (message instanceof AgentMessage.Report report) {
      return membership.reported(node, report, now);
    } else if (message instanceof AgentMessage.Telemetry telemetry) {
      subscribers.sampled(telemetry.samples());
      return membership.sampled(telemetry.samples());
    } else if (message instanceof AgentMessage.Standstill standstill) {
      return membership.standstill(node, standstill, System.currentTimeMillis());
    } else if (message instanceof AgentMessage.Devices devices) {
      return membership.devices(node, devices);
    } else if (message instanceof AgentMessage.TaskHappened happened) {
      return workers.heard(happened);
    } else if (message instanceof AgentMessage.Output output) {
      return outputReads.answered(output);
    } else if (message instanceof AgentMessage.Signalled) {
      return Decision.atOnce(
          List.of(new Effect.TellFollower(new ClusterEvent.NodeSignalled(node))));
    } else if (message instanceof AgentMessage.Leaving leaving) {
      LOG.info("{} leaves: {}", node, leaving.reason());
      membership.left(node, leaving.reason());
    }
    return Decision.NONE;
  }
}
