package io.remuda.coordinator.actor;

import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.status.RunNodesStatus;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscribers to events of the cluster: a follower, the event log, the post-processor, and the
 * status display. Used only by the coordinator's actor.
 */
final class ClusterSubscribers {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterSubscribers.class);

  private final ActorRef<TelemetryPostProcessor.Command> postProcessor;
  private final ActorRef<EventFileAppender.Command> eventLog;
  private final ActorRef<RunNodesStatus> status;

  /** Null until there is one. */
  private ActorRef<ClusterEvent> follower;

  /** Gets the events of nodes only; null until there is one. */
  private ActorRef<ClusterEvent> followerOfNodes;

  /**
   * @param postProcessor receives all samples
   * @param eventLog receives the events of nodes and tasks
   * @param status receives the status
   */
  ClusterSubscribers(
      ActorRef<TelemetryPostProcessor.Command> postProcessor,
      ActorRef<EventFileAppender.Command> eventLog,
      ActorRef<RunNodesStatus> status) {
    this.postProcessor = postProcessor;
    this.eventLog = eventLog;
    this.status = status;
  }

  /** Replaces the follower and sends it a first event. */
  void followedBy(ActorRef<ClusterEvent> next, ClusterEvent.Leading first) {
    follower = next;
    follower.tell(first);
  }

  /** Replaces the follower that gets the events of nodes only. */
  void nodesFollowedBy(ActorRef<ClusterEvent> next) {
    followerOfNodes = next;
  }

  /** Returns whether there is a follower. */
  boolean hasFollower() {
    return follower != null;
  }

  /** Sends an event to the follower, if there is one. */
  void tellFollower(ClusterEvent event) {
    if (hasFollower()) {
      follower.tell(event);
    }
    if (followerOfNodes != null && isOfNode(event)) {
      followerOfNodes.tell(event);
    }
  }

  private static boolean isOfNode(ClusterEvent event) {
    return event instanceof ClusterEvent.NodeJoined
        || event instanceof ClusterEvent.NodeSilent
        || event instanceof ClusterEvent.NodeSignalled;
  }

  void joined(NodeRegistry.Node node, boolean again) {
    tellFollower(new ClusterEvent.NodeJoined(node, again));
    eventLog.tell(
        new EventFileAppender.NodeEvent(node.name(), again ? "joined-again" : "joined", null));
  }

  void silent(String node, String cause) {
    eventLog.tell(new EventFileAppender.NodeEvent(node, "silent", cause));
    tellFollower(new ClusterEvent.NodeSilent(node, cause));
  }

  /** Reports a standstill on a node; null if it has ended. */
  void standsStill(String node, NodePause.Standstill now) {
    if (now == null) {
      LOG.info("node {}: the standstill has ended", node);
      eventLog.tell(new EventFileAppender.NodeEvent(node, "goes-on", null));
    } else {
      LOG.warn("node {}: {}", node, WaitText.pause(now));
      eventLog.tell(new EventFileAppender.NodeEvent(node, "stands-still", now.what()));
    }
  }

  void moved(TaskChange change) {
    eventLog.tell(new EventFileAppender.TaskEvent(change));
    tellFollower(new ClusterEvent.TaskMoved(change));
  }

  void sampled(List<NodeSample> samples) {
    postProcessor.tell(new TelemetryPostProcessor.Samples(samples));
  }

  void standing(RunNodesStatus now) {
    status.tell(now);
  }
}
