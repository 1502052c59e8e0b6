package io.remuda.agent.actor;

import io.remuda.agent.attempt.JoinedKeeperState;
import io.remuda.agent.attempt.TaskFolderPreparation;
import io.remuda.agent.keeper.LiveUse;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command to the agent of a node. */
public sealed interface NodeAgentCommand {

  /** Ends the agent as SIGTERM does. */
  record Leave(String reason) implements NodeAgentCommand {}

  /**
   * Tells the coordinator that this agent is to end soon, and waits for its order to end; without a
   * coordinator it ends at once.
   */
  record AwaitOrder(String reason) implements NodeAgentCommand {}

  /** A message of the coordinator. */
  record FromCoordinator(CoordinatorMessage message) implements NodeAgentCommand {}

  /**
   * The connection to the coordinator is there.
   *
   * @param localAddress the address of this end
   */
  record LinkUp(String localAddress) implements NodeAgentCommand {}

  /** The connection to the coordinator is lost. */
  enum LinkDown implements NodeAgentCommand {
    INSTANCE
  }

  /**
   * A keeper was joined.
   *
   * @param connection number of the connection to it
   * @param tasks tasks that it has
   */
  record KeeperReady(long connection, List<TaskView> tasks) implements NodeAgentCommand {}

  /** The keeper is gone, and its tasks with it. */
  record KeeperLost(String cause) implements NodeAgentCommand {}

  /** The keeper is gone and no other one could be started; the port tries again. */
  record KeeperMissing(String cause) implements NodeAgentCommand {}

  /**
   * The tasks of lost keepers that cannot be killed; replaces the previous list.
   *
   * @param reasons reasons by task key; an empty key stands for any task
   */
  record Unended(Map<String, String> reasons) implements NodeAgentCommand {}

  /** The connection to the keeper is lost, but the keeper and its tasks live. */
  record KeeperAway(String cause) implements NodeAgentCommand {}

  /** The keeper lives and has not answered for this long; 0 once it answers again. */
  record KeeperSilent(long millis) implements NodeAgentCommand {}

  /** Nothing of an earlier agent is left that is to be adopted or killed. */
  enum NothingLeft implements NodeAgentCommand {
    INSTANCE
  }

  /** There is no access file by which a coordinator could be found. */
  enum AccessMissing implements NodeAgentCommand {
    INSTANCE
  }

  /** The folders of these orders are prepared, or cannot be. */
  record FoldersPrepared(List<Prepared> all) implements NodeAgentCommand {

    /** An order, and what came of its folder. */
    record Prepared(TaskStartOrder order, TaskFolderPreparation folder) {}
  }

  /** The end of a command or lease was read from its folder. */
  record EndRead(AttemptId attempt, TaskEnd end) implements NodeAgentCommand {}

  /** A training has told the end of an epoch, which is noted in its folder. */
  record TrainingTold(AttemptId attempt, TrainingProgress progress) implements NodeAgentCommand {}

  /** It is noted in its folder that the program of a lease has given its devices back. */
  record GiveBackNoted(AttemptId attempt) implements NodeAgentCommand {}

  /**
   * What a lost keeper had not begun.
   *
   * @param cause why it was lost
   * @param unbegun attempts that waited there and had not begun
   * @param held all attempts that the keeper had
   */
  record UnbegunFound(String cause, List<AttemptId> unbegun, List<AttemptId> held)
      implements NodeAgentCommand {}

  /**
   * The contents of the folders of a joined keeper's tasks.
   *
   * @param number number of the survey
   * @param found empty if the folders could not be read
   */
  record Surveyed(long number, KeeperReady keeper, Optional<JoinedKeeperState> found)
      implements NodeAgentCommand {}

  /** The keeper has ended as ordered. */
  enum KeeperEnded implements NodeAgentCommand {
    INSTANCE
  }

  /** The keeper's answer to a start. */
  record TaskAnswered(AttemptId attempt, SpawnAnswer answer) implements NodeAgentCommand {}

  /** Nothing of a task is left. */
  record TaskExited(TaskView task) implements NodeAgentCommand {}

  /** The state of a built-in worker has changed. */
  record TaskChanged(TaskReport report) implements NodeAgentCommand {}

  /** An event of a built-in worker. */
  record TaskHappened(AttemptId attempt, long sequence, WorkerEvent event)
      implements NodeAgentCommand {

    /** Returns the event as the coordinator gets it. */
    AgentMessage message() {
      return new AgentMessage.TaskHappened(attempt, sequence, event);
    }
  }

  /** What the program of an attempt has reported. */
  record MetricsRead(AgentMessage.Metrics message) implements NodeAgentCommand {}

  /** What running tasks have used so far, by key. */
  record UseRead(Map<String, LiveUse> uses) implements NodeAgentCommand {
    public UseRead {
      uses = Map.copyOf(uses);
    }
  }

  /** A sample of the host and its devices. */
  record Sampled(NodeSample sample) implements NodeAgentCommand {}

  /** A part of the output of a task. */
  record OutputRead(AgentMessage.Output answer) implements NodeAgentCommand {}

  /** Time to report and to check timeouts. */
  enum Tick implements NodeAgentCommand {
    INSTANCE
  }

  /** The contact deadline may have passed. */
  enum ContactLost implements NodeAgentCommand {
    INSTANCE
  }

  /** The time to end in order is over. */
  enum GiveUp implements NodeAgentCommand {
    INSTANCE
  }

  /** Changes since the last report are to be told. */
  enum News implements NodeAgentCommand {
    INSTANCE
  }

  /** Changes have waited long enough for a report. */
  enum ReportDue implements NodeAgentCommand {
    INSTANCE
  }
}
