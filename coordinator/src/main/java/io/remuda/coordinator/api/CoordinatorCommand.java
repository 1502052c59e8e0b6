package io.remuda.coordinator.api;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.protocol.ToWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/** A message to the coordinator. */
public sealed interface CoordinatorCommand {

  /** Lets the remaining tasks of a job run without the devices that it asked for. */
  record WithoutGpus(JobId job) implements CoordinatorCommand {}

  /** Starts the telemetry of all nodes. */
  enum StartTelemetry implements CoordinatorCommand {
    INSTANCE
  }

  /** Stops the telemetry of all nodes after a last sample. */
  enum StopTelemetry implements CoordinatorCommand {
    INSTANCE
  }

  /** Ends every node and its tasks. */
  record EndNodes(String reason, Duration grace) implements CoordinatorCommand {}

  /** Sends a worker the items that it has asked for. */
  record Answer(AttemptId attempt, ToWorker message) implements CoordinatorCommand {}

  /** Sends all later events to {@code follower}, which replaces the previous follower. */
  record Follow(ActorRef<ClusterEvent> follower) implements CoordinatorCommand {}

  /** Sends later events of nodes to {@code follower}, which replaces the previous one of nodes. */
  record FollowNodes(ActorRef<ClusterEvent> follower) implements CoordinatorCommand {}

  /**
   * Submits all of these jobs or none; the answer has their numbers.
   *
   * @param stored what the store says of the jobs to which they refer
   */
  record SubmitJobs(
      List<NewJob> jobs,
      ReferencedStoredJobs stored,
      Caller caller,
      ActorRef<Reply<AcceptedJobs>> replyTo)
      implements CoordinatorCommand {}

  /** Checks whether these jobs would be accepted, and changes nothing. */
  record CheckJobs(
      List<NewJob> jobs,
      ReferencedStoredJobs stored,
      Caller caller,
      ActorRef<Reply<AcceptedJobs>> replyTo)
      implements CoordinatorCommand {}

  /**
   * The user who sends a request.
   *
   * @param mayAll whether they may change the jobs of other users
   */
  record Caller(String user, boolean mayAll) {

    /** Returns whether the caller may see and change what a user has. */
    public boolean mayActFor(String owner) {
      return mayAll || user.equals(owner);
    }
  }

  /** A change of a job by a user. */
  enum Action {
    /** SIGTERM, and SIGKILL after each task's grace. */
    CANCEL,
    /** The rest of the grace is not waited for. */
    CANCEL_NOW,
    HOLD,
    RELEASE,
    /** Its running tasks leave their places and wait again. */
    REQUEUE,
    /** As {@link #REQUEUE}, and the job is on hold then. */
    REQUEUE_ON_HOLD
  }

  /**
   * Changes a job; the answer is sent when the change is durable.
   *
   * @param task index of the only task to be changed, or null for the whole job
   * @param reason why, in the user's words, or null
   */
  record ChangeJob(
      JobId job,
      Integer task,
      Action action,
      String reason,
      Caller caller,
      ActorRef<Reply<JobId>> replyTo)
      implements CoordinatorCommand {

    /** A change without a reason. */
    public ChangeJob(
        JobId job, Integer task, Action action, Caller caller, ActorRef<Reply<JobId>> replyTo) {
      this(job, task, action, null, caller, replyTo);
    }
  }

  /**
   * A change of many jobs and tasks in one step; what is refused does not stop the others.
   *
   * @param reason why, in the user's words, or null; only of a cancellation
   */
  record ChangeJobs(
      JobNumbers jobs,
      Action action,
      String reason,
      Caller caller,
      ActorRef<Reply<JobsChanged>> replyTo)
      implements CoordinatorCommand {}

  /**
   * Cancels tasks of a job that have no place yet; the answer is sent when that is durable.
   *
   * @param tasks which of them
   * @param reason why, in the user's words, or null
   */
  record CancelWaiting(
      JobId job,
      WaitingTasks tasks,
      String reason,
      Caller caller,
      ActorRef<Reply<WaitingCancelled>> replyTo)
      implements CoordinatorCommand {}

  /**
   * Some tasks that have no place.
   *
   * @param states in which they are, each before a place
   * @param first number of the first task to look at
   * @param end number behind the last, 0 for all
   */
  record WaitingTasks(Set<TaskState> states, int first, int end) {
    public WaitingTasks {
      states = Set.copyOf(states);
      if (states.isEmpty() || !states.stream().allMatch(TaskState::isBefore)) {
        throw new IllegalArgumentException(
            "state names what has not started: waiting, held, submitted, or pending for all of"
                + " them");
      }
    }
  }

  /**
   * Tasks of a job that are cancelled before they started.
   *
   * @param cancelled how many
   * @param left how many tasks of the job have not ended
   * @param next number of the task from which on to ask again, null if all were looked at
   */
  record WaitingCancelled(JobId job, int cancelled, int left, Integer next) {}

  /**
   * Changes the terms of a job that has not ended; the answer is sent when they are durable.
   *
   * @param stored of the jobs after which it is to start
   */
  record SetJob(
      JobId job,
      JobTermsChange change,
      ReferencedStoredJobs stored,
      Caller caller,
      ActorRef<Reply<JobSet>> replyTo)
      implements CoordinatorCommand {}

  /**
   * A job with other terms.
   *
   * @param ending number of its running tasks whose new time limit has passed already
   */
  record JobSet(JobId job, int ending) {}

  /** How a node, or a GPU of it, is used. */
  enum NodeUse {
    /** It gets tasks. */
    OPEN,
    /** It gets no more tasks; those that run go on. */
    DRAINED,
    /** As {@link #DRAINED}, and its preemptible tasks leave, to run elsewhere. */
    DRAINED_AND_MOVED
  }

  /**
   * Stops placing tasks on a node, or resumes it.
   *
   * @param reason why it is drained, in the user's words, or null
   */
  record DrainNode(String node, NodeUse use, String reason, ActorRef<Reply<String>> replyTo)
      implements CoordinatorCommand {}

  /**
   * Stops placing tasks on GPUs of a node, or resumes them.
   *
   * @param gpus their numbers or UUIDs
   * @param reason why they are drained, in the user's words, or null
   */
  record DrainGpus(
      String node, List<String> gpus, NodeUse use, String reason, ActorRef<Reply<String>> replyTo)
      implements CoordinatorCommand {
    public DrainGpus {
      gpus = List.copyOf(gpus);
    }
  }

  /**
   * Declares a silent node permanently gone, which ends its tasks.
   *
   * @param reason why, in the user's words, or null
   */
  record GiveUpNode(String node, String reason, Caller caller, ActorRef<Reply<String>> replyTo)
      implements CoordinatorCommand {}

  /**
   * Has the tasks of nodes wait again of which nothing runs any more, and forgets these nodes if
   * they are silent; the answer is the number of tasks.
   *
   * @param why for people
   */
  record TakeNodesAway(List<String> nodes, String why, ActorRef<Integer> replyTo)
      implements CoordinatorCommand {
    public TakeNodesAway {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The server ends after this time; repeated when that changes.
   *
   * @param left null if it has no end
   */
  record ServerEnds(Duration left) implements CoordinatorCommand {}

  /** Forgets a node that is silent and has no task. */
  record RemoveNode(String node, ActorRef<Reply<String>> replyTo) implements CoordinatorCommand {}

  /** Deletes the profile of a job type. */
  record ForgetProfile(JobType type, ActorRef<Reply<String>> replyTo)
      implements CoordinatorCommand {}

  /** Stores a user's settings. */
  record SetUser(UserRow user, ActorRef<Reply<String>> replyTo) implements CoordinatorCommand {}

  /**
   * Requests a lease; the answer is sent when it is granted, at the latest after {@code
   * patienceMillis}.
   */
  record AskLease(LeaseAsk ask, long patienceMillis, ActorRef<Reply<LeaseView>> replyTo)
      implements CoordinatorCommand {}

  /**
   * Asks for the state of a lease; the answer is sent when it is granted, at the latest after
   * {@code patienceMillis}.
   */
  record LookAtLease(
      JobId lease, Caller caller, long patienceMillis, ActorRef<Reply<LeaseView>> replyTo)
      implements CoordinatorCommand {}

  /**
   * Gives a lease back; the answer is sent when its attempt has ended, at the latest after {@code
   * patienceMillis}.
   *
   * @param attempt the attempt to end, which makes a repetition safe if the answer was lost; 0 for
   *     the current one
   * @param succeeded whether the program's work succeeded
   * @param error the end of the error message, or null
   * @param again whether the program would retry with more memory if memory was the cause
   */
  record GiveLeaseBack(
      JobId lease,
      int attempt,
      boolean succeeded,
      String error,
      boolean again,
      Caller caller,
      long patienceMillis,
      ActorRef<Reply<LeaseView>> replyTo)
      implements CoordinatorCommand {}

  /** A question that changes nothing: see {@link CoordinatorQuestion}. */
  non-sealed interface Question extends CoordinatorCommand {}

  /** Ends a task of another state file, named as in {@link ClusterNodesSnapshot}. */
  record EndForeign(String node, AttemptId attempt, ActorRef<Reply<String>> replyTo)
      implements CoordinatorCommand {}

  /**
   * Reads a part of an attempt's output from the node that it was last on, or uses a channel there.
   *
   * @param offset in bytes; negative to count from the end
   * @param limit maximum number of bytes
   * @param channel what is asked of a channel, in place of output; null for output
   * @param machine of the client, to which a node on it says where the output lies; or null
   */
  record ReadOutput(
      String node,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit,
      ChannelExchangeRequest channel,
      String machine,
      ActorRef<Reply<AgentMessage.Output>> replyTo)
      implements CoordinatorCommand {}

  /** Ends all placed tasks and accepts no more jobs; the answer says what is ending. */
  record StopAll(Fate fate, Urgency urgency, ActorRef<Stopped> replyTo)
      implements CoordinatorCommand {}

  /** What becomes of the tasks of a server that stops. */
  enum Fate {
    CANCELLED,
    /** They wait for the next server, unless their terms forbid it. */
    WAITS_AGAIN
  }

  /** Whether tasks that end have their grace. */
  enum Urgency {
    IN_GRACE,
    AT_ONCE
  }

  /**
   * What ends because the server stops.
   *
   * @param tasks how many were running or starting
   * @param longestGraceMillis the longest grace of any of them, 0 for none
   */
  record Stopped(int tasks, long longestGraceMillis) {}

  /** Counts the tasks that are ending on nodes that are connected. */
  record CountEnding(ActorRef<Integer> replyTo) implements CoordinatorCommand {}

  /**
   * All commits up to this one are durable.
   *
   * @param number counts from 1
   */
  record Committed(long number) implements CoordinatorCommand {}

  /** A portion of the tasks that follow their job is durable, so the next one may follow. */
  enum SettleNext implements CoordinatorCommand {
    INSTANCE
  }

  /**
   * An agent has connected and introduced itself.
   *
   * @param reachedAt the address of this server to which it is connected
   */
  record AgentJoined(
      AgentMessage.Hello hello, ActorRef<MessageToAgentSession> session, String reachedAt)
      implements CoordinatorCommand {}

  /** A message of a connected agent. */
  record AgentSaid(String node, ActorRef<MessageToAgentSession> session, AgentMessage message)
      implements CoordinatorCommand {}

  /** A connection has ended. */
  record AgentGone(String node, ActorRef<MessageToAgentSession> session, String cause)
      implements CoordinatorCommand {}

  /** Time to check timeouts and to repeat orders. */
  enum Tick implements CoordinatorCommand {
    INSTANCE
  }

  /** Schedules waiting tasks after the messages that have arrived by now. */
  enum Cycle implements CoordinatorCommand {
    INSTANCE
  }
}
