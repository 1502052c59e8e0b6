package io.remuda.agent.actor;

import io.remuda.agent.attempt.KeeperSurvey;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command to the agent of a node. */
public sealed interface NodeAgentCommand {

  /** Ends the agent as SIGTERM does. */
  record Leave(String reason) implements NodeAgentCommand {}

  /** A message of the coordinator. */
  record FromCoordinator(CoordinatorMessage message) implements NodeAgentCommand {}

  /** The connection to the coordinator is there. */
  enum LinkUp implements NodeAgentCommand {
    INSTANCE
  }

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

  /** File work is done; {@code then} runs next. */
  record FilesRead(Runnable then) implements NodeAgentCommand {}

  /**
   * The contents of the folders of a joined keeper's tasks.
   *
   * @param number number of the survey
   * @param found empty if the folders could not be read
   */
  record Surveyed(long number, KeeperReady keeper, Optional<KeeperSurvey> found)
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
      implements NodeAgentCommand {}

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
