package io.remuda.coordinator.actor;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.schedule.NodePause;
import io.remuda.coordinator.status.RunStatus;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who are told what happens in the cluster: whoever follows it, the event log, the
 * post-processor, and who shows its status. Used by the coordinator's actor alone.
 */
final class ClusterSubscribers {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterSubscribers.class);

  private final ActorRef<PostProcessor.Command> postProcessor;
  private final ActorRef<EventLog.Command> eventLog;
  private final ActorRef<RunStatus> status;
  private ActorRef<ClusterEvent> follower;

  /**
   * The audience at first.
   *
   * @param postProcessor gets all samples
   * @param eventLog is told of nodes and tasks
   * @param status is told how everything is
   * @param nobody what is said to the follower goes there until there is one
   */
  ClusterSubscribers(
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<EventLog.Command> eventLog,
      ActorRef<RunStatus> status,
      ActorRef<ClusterEvent> nobody) {
    this.postProcessor = postProcessor;
    this.eventLog = eventLog;
    this.status = status;
    this.follower = nobody;
  }

  /** From now on another one follows, and is told this first. */
  void followedBy(ActorRef<ClusterEvent> next, ClusterEvent.Leading first) {
    follower = next;
    follower.tell(first);
  }

  /** Tells the follower alone. */
  void tellFollower(ClusterEvent event) {
    follower.tell(event);
  }

  void joined(NodeRegistry.Node node, boolean again) {
    follower.tell(new ClusterEvent.NodeJoined(node, again));
    eventLog.tell(new EventLog.NodeEvent(node.name(), again ? "joined-again" : "joined", null));
  }

  void silent(String node, String cause) {
    eventLog.tell(new EventLog.NodeEvent(node, "silent", cause));
    follower.tell(new ClusterEvent.NodeSilent(node, cause));
  }

  /** Something on a node stands still; null if it goes on again. */
  void standsStill(String node, NodePause.Standstill now) {
    if (now == null) {
      LOG.info("node {}: all goes on again", node);
      eventLog.tell(new EventLog.NodeEvent(node, "goes-on", null));
    } else {
      LOG.warn("node {}: {}", node, WaitText.pause(now));
      eventLog.tell(new EventLog.NodeEvent(node, "stands-still", now.what()));
    }
  }

  void moved(TaskChange change) {
    eventLog.tell(new EventLog.TaskEvent(change));
    follower.tell(new ClusterEvent.TaskMoved(change));
  }

  void sampled(List<NodeSample> samples) {
    postProcessor.tell(new PostProcessor.Samples(samples));
  }

  void standing(RunStatus now) {
    status.tell(now);
  }
}
