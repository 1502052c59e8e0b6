package io.remuda.coordinator.commit;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.model.NodePause;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** What the coordinator does outside its registries because of a {@link Decision}. */
public sealed interface Effect {

  /** Sends an actor a message: the answer to a request, or the next command to itself. */
  record Tell<T>(ActorRef<T> to, T message) implements Effect {
    public void send() {
      to.tell(message);
    }
  }

  /** Sends a node a message if it is connected. */
  record SendToNode(String node, CoordinatorMessage message) implements Effect {}

  /** Sends a node that has joined its desired state, or the order to end if all nodes end. */
  record SendDesired(String node) implements Effect {}

  /** Sends the follower an event. */
  record TellFollower(ClusterEvent event) implements Effect {}

  /** Tells the subscribers that a node has joined, for the first time or again. */
  record NodeJoined(NodeRegistry.Node node, boolean again) implements Effect {}

  /** Tells the subscribers that a node's connection has ended. */
  record NodeSilent(String node, String cause) implements Effect {}

  /** Tells the subscribers of a standstill on a node; null if it has ended. */
  record NodeStandsStill(String node, NodePause.Standstill now) implements Effect {}

  /**
   * Updates the desired state of the task's node, and tells the subscribers of the change.
   *
   * @param order the order of the attempt that the change starts, or null
   */
  record TaskMoved(TaskChange change, TaskStartOrder order) implements Effect {}

  /** Tells programs that wait for a lease, and forgets what has ended and is in the store. */
  record TasksSettled(List<TaskChange> changes) implements Effect {
    public TasksSettled {
      changes = List.copyOf(changes);
    }
  }
}
