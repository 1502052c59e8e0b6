package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** An event that the coordinator sends to its follower. */
public sealed interface ClusterEvent {

  /** The answer to {@link CoordinatorCommand.Follow}: the coordinator's actor, to be watched. */
  record Leading(ActorRef<CoordinatorCommand> coordinator) implements ClusterEvent {}

  /** A node has joined, for the first time or again. */
  record NodeJoined(NodeRegistry.Node node, boolean again) implements ClusterEvent {}

  /** The connection of a node has ended. */
  record NodeSilent(String node, String cause) implements ClusterEvent {}

  /** A node's agent has received a signal to end and is about to end. */
  record NodeSignalled(String node) implements ClusterEvent {}

  /** An agent was rejected because another one has joined with its node name. */
  record NameTaken(String node) implements ClusterEvent {}

  /** The node has sent its last sample. */
  record TelemetryClosed(String node) implements ClusterEvent {}

  /**
   * Tasks wait; repeated with each tick.
   *
   * @param reasons why each task waits, node by node
   * @param anyDeviceAnswers whether any node has a device that answers
   */
  record Waiting(Map<TaskId, List<WaitReason>> reasons, boolean anyDeviceAnswers)
      implements ClusterEvent {
    public Waiting {
      reasons = Map.copyOf(reasons);
    }

    /** Returns the event with the tasks of one job. */
    public Waiting of(JobId job) {
      Map<TaskId, List<WaitReason>> own = new HashMap<>(reasons);
      own.keySet().removeIf(task -> !task.job().equals(job));
      return new Waiting(own, anyDeviceAnswers);
    }
  }

  /** A task has changed its state. */
  record TaskMoved(TaskChange change) implements ClusterEvent {}

  /** The last progress that workers have reported. */
  record Progressed(Map<AttemptId, TaskProgress> tasks) implements ClusterEvent {
    public Progressed {
      tasks = Map.copyOf(tasks);
    }
  }

  /** A new event of a worker; the follower answers requests for items. */
  record WorkerTold(AttemptId attempt, long sequence, WorkerEvent event) implements ClusterEvent {}
}
