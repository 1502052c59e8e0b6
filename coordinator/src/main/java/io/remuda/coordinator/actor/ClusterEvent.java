package io.remuda.coordinator.actor;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.WorkerEvent;
import org.apache.pekko.actor.typed.ActorRef;

/** What the coordinator tells whoever follows it. */
public sealed interface ClusterEvent {

  /** The answer to {@link Coordinator.Follow}: the actor that decides, to be watched. */
  record Leading(ActorRef<Coordinator.Command> coordinator) implements ClusterEvent {}

  /** A node is there, for the first time or again. */
  record NodeJoined(NodeRegistry.Node node, boolean again) implements ClusterEvent {}

  /** Nothing is heard of a node. */
  record NodeSilent(String node, String cause) implements ClusterEvent {}

  /** No telemetry will come from the node any more. */
  record TelemetryClosed(String node) implements ClusterEvent {}

  /** A task changed its state. */
  record TaskMoved(TaskChange change) implements ClusterEvent {}

  /** A worker told something new; items that it wants are answered by the follower. */
  record WorkerTold(AttemptId attempt, long sequence, WorkerEvent event) implements ClusterEvent {}
}
