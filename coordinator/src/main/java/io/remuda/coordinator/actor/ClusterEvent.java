package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** What the coordinator tells whoever follows it. */
public sealed interface ClusterEvent {

  /** The answer to {@link Coordinator.Follow}: the actor that decides, to be watched. */
  record Leading(ActorRef<Coordinator.Command> coordinator) implements ClusterEvent {}

  /** A node is there, for the first time or again. */
  record NodeJoined(NodeRegistry.Node node, boolean again) implements ClusterEvent {}

  /** Nothing is heard of a node. */
  record NodeSilent(String node, String cause) implements ClusterEvent {}

  /** A node's agent was told by a signal to end, which it does next. */
  record NodeSignalled(String node) implements ClusterEvent {}

  /** A second agent has asked to join by a name that is taken, and was turned away. */
  record NameTaken(String node) implements ClusterEvent {}

  /** No telemetry will come from the node any more. */
  record TelemetryClosed(String node) implements ClusterEvent {}

  /**
   * Tasks wait; repeated with each tick while they do.
   *
   * @param reasons of each, node by node
   * @param anyDeviceAnswers whether there is a device that could ever be lent
   */
  record Waiting(Map<TaskId, List<WaitReason>> reasons, boolean anyDeviceAnswers)
      implements ClusterEvent {
    public Waiting {
      reasons = Map.copyOf(reasons);
    }
  }

  /** A task changed its state. */
  record TaskMoved(TaskChange change) implements ClusterEvent {}

  /** How far tasks are, as their workers last said. */
  record Progressed(Map<AttemptId, TaskProgress> tasks) implements ClusterEvent {
    public Progressed {
      tasks = Map.copyOf(tasks);
    }
  }

  /** A worker told something new; items that it wants are answered by the follower. */
  record WorkerTold(AttemptId attempt, long sequence, WorkerEvent event) implements ClusterEvent {}
}
