package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** A question to the coordinator; it changes nothing. */
public sealed interface CoordinatorQuestion extends CoordinatorCommand.Question {

  /** Asks why a job waits. */
  record Explain(JobId job, ActorRef<Reply<Explanation>> replyTo) implements CoordinatorQuestion {}

  /** Asks how far these jobs are; the answer has those that are live. */
  record LookAtJobs(List<JobId> jobs, ActorRef<Map<JobId, LiveJobProgress>> replyTo)
      implements CoordinatorQuestion {}

  /** Asks what the running tasks of a job have used so far, by index. */
  record LookAtUses(JobId job, ActorRef<Map<Integer, TaskUse>> replyTo)
      implements CoordinatorQuestion {}

  /** Asks for the resources of all nodes. */
  record LookAtNodes(ActorRef<ClusterNodesSnapshot> replyTo) implements CoordinatorQuestion {}

  /** Asks what happens on all nodes and in the queue at present. */
  record LookAtActivity(ActorRef<ClusterActivity> replyTo) implements CoordinatorQuestion {}

  /** Asks for what those see who look on. */
  record LookAtLive(ActorRef<LiveClusterView> replyTo) implements CoordinatorQuestion {}

  /**
   * Asks for what the metrics are made of.
   *
   * @param mostJobs running jobs that are told at most
   */
  record LookAtMetrics(int mostJobs, ActorRef<ClusterMetrics> replyTo)
      implements CoordinatorQuestion {}
}
