package io.remuda.coordinator.rest.view;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorCommand.Action;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.CoordinatorCommand.NodeUse;
import io.remuda.coordinator.api.CoordinatorCommand.WaitingCancelled;
import io.remuda.coordinator.api.CoordinatorCommand.WaitingTasks;
import io.remuda.coordinator.api.CoordinatorQuestion;
import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.api.JobNumbers;
import io.remuda.coordinator.api.JobTermsChange;
import io.remuda.coordinator.api.JobsChanged;
import io.remuda.coordinator.api.LeaseAsk;
import io.remuda.coordinator.api.LeaseView;
import io.remuda.coordinator.api.LiveClusterView;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.cluster.ForwardedAnswer;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.NoLeaderHereException;
import io.remuda.coordinator.cluster.RequestForwarder;
import io.remuda.coordinator.cluster.RequestsToLocalLeader;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.query.AttemptHistory;
import io.remuda.coordinator.store.query.EarlierAttempt;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/** The routes' access to the coordinator and to the store. Never blocks the caller. Thread-safe. */
public final class RestBackend {

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Longer than the forwarder waits itself, which knows the reason. */
  private static final Duration FORWARDING = Duration.ofSeconds(29);

  /** Maximum wait for the attempt of a released lease to end; also added to other lease waits. */
  private static final long END_MILLIS = 8000;

  /** A query of the store. */
  public interface Query<T> {
    T ask(StoreReader reader) throws IOException;
  }

  private final ActorSystem<?> system;
  private final KnownLeader leader;
  private final ActorRef<RequestForwarder.Command> forwarder;
  private final StoreReader reader;
  private final UnreachableNodeOutput outputHere;
  private final Executor blocking;

  /**
   * @param leader where the coordinator is
   * @param forwarder brings requests to a coordinator that is elsewhere
   * @param outputHere the output of nodes that do not answer
   */
  public RestBackend(
      ActorSystem<?> system,
      KnownLeader leader,
      ActorRef<RequestForwarder.Command> forwarder,
      StoreReader reader,
      UnreachableNodeOutput outputHere) {
    this.system = system;
    this.leader = leader;
    this.forwarder = forwarder;
    this.reader = reader;
    this.outputHere = outputHere;
    this.blocking =
        system.dispatchers().lookup(DispatcherSelector.fromConfig("remuda.blocking-dispatcher"));
  }

  public ActorSystem<?> system() {
    return system;
  }

  /** Runs a query on the dispatcher for blocking work. */
  public <T> CompletionStage<T> query(Query<T> query) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return query.ask(reader);
          } catch (IOException fault) {
            throw new UncheckedIOException(fault);
          }
        },
        blocking);
  }

  /** Returns the node of an attempt of a task, of the newest one if that is not known. */
  public CompletionStage<String> nodeOf(TaskRow task, int attempt) {
    return attempt == task.attempt()
        ? CompletableFuture.completedFuture(task.node())
        : query(
            all -> {
              List<EarlierAttempt> earlier =
                  AttemptHistory.of(task.id().job(), List.of(task), all)
                      .getOrDefault(task.id().index(), List.of());
              return AttemptHistory.nodeOf(task, attempt, earlier);
            });
  }

  /**
   * Asks the coordinator. AskPattern's own stage runs each further step on the default executor of
   * CompletableFuture, which on two processors starts a thread for each, so it is wrapped.
   */
  private <T> CompletionStage<T> ask(Function<ActorRef<T>, CoordinatorCommand> question) {
    return ask(question, PATIENCE);
  }

  private <T> CompletionStage<T> ask(
      Function<ActorRef<T>, CoordinatorCommand> question, Duration patience) {
    RequestsToLocalLeader pending =
        leader.pending(); // before the coordinator, which may leave between
    Optional<ActorRef<CoordinatorCommand>> coordinator = leader.coordinator();
    if (coordinator.isEmpty()) {
      return CompletableFuture.failedFuture(new NoLeaderHereException());
    }
    return pending
        .await(
            AskPattern.<CoordinatorCommand, T>ask(
                coordinator.get(), question::apply, patience, system.scheduler()))
        .thenApplyAsync(answer -> answer, system.executionContext());
  }

  /** Returns whether the coordinator is in this process. */
  public boolean leads() {
    return leader.coordinator().isPresent();
  }

  /** Returns whether this process knows of a leader, here or elsewhere. */
  public boolean knowsLeader() {
    return leads() || leader.notice().isPresent();
  }

  /**
   * Has the leader, which is another process, answer a request.
   *
   * @param target path and query below {@code /api/v1}
   * @param attempt whether a leader may have carried it out already
   */
  public CompletionStage<Reply<ForwardedAnswer>> forward(
      Caller caller, String method, String target, byte[] body, RequestForwarder.Attempt attempt) {
    return AskPattern.<RequestForwarder.Command, Reply<ForwardedAnswer>>ask(
            forwarder,
            replyTo ->
                new RequestForwarder.Forward(
                    caller.user(), caller.mayAll(), method, target, body, attempt, replyTo),
            FORWARDING,
            system.scheduler())
        .thenApplyAsync(answer -> answer, system.executionContext());
  }

  public CompletionStage<Reply<LeaseView>> askLease(LeaseAsk lease, long waitMillis) {
    return ask(
        replyTo -> new CoordinatorCommand.AskLease(lease, waitMillis, replyTo), longer(waitMillis));
  }

  public CompletionStage<Reply<LeaseView>> lookAtLease(
      JobId lease, Caller caller, long waitMillis) {
    return ask(
        replyTo -> new CoordinatorCommand.LookAtLease(lease, caller, waitMillis, replyTo),
        longer(waitMillis));
  }

  public CompletionStage<Reply<LeaseView>> giveLeaseBack(
      JobId lease, int attempt, boolean succeeded, String error, boolean again, Caller caller) {
    return ask(
        replyTo ->
            new CoordinatorCommand.GiveLeaseBack(
                lease, attempt, succeeded, error, again, caller, END_MILLIS, replyTo));
  }

  private static Duration longer(long waitMillis) {
    return Duration.ofMillis(waitMillis + END_MILLIS);
  }

  public CompletionStage<Reply<AcceptedJobs>> submit(
      List<NewJob> jobs, ReferencedStoredJobs stored, Caller caller) {
    return ask(replyTo -> new CoordinatorCommand.SubmitJobs(jobs, stored, caller, replyTo));
  }

  public CompletionStage<Reply<AcceptedJobs>> check(
      List<NewJob> jobs, ReferencedStoredJobs stored, Caller caller) {
    return ask(replyTo -> new CoordinatorCommand.CheckJobs(jobs, stored, caller, replyTo));
  }

  /**
   * Changes a job.
   *
   * @param task index of the only task to be changed, or null for the whole job
   * @param reason why, in the user's words, or null
   */
  public CompletionStage<Reply<JobId>> change(
      JobId job, Integer task, Action action, String reason, Caller caller) {
    return ask(
        replyTo -> new CoordinatorCommand.ChangeJob(job, task, action, reason, caller, replyTo));
  }

  /**
   * Changes many jobs and tasks in one step.
   *
   * @param reason why, in the user's words, or null
   */
  public CompletionStage<Reply<JobsChanged>> changeAll(
      JobNumbers jobs, Action action, String reason, Caller caller) {
    return ask(replyTo -> new CoordinatorCommand.ChangeJobs(jobs, action, reason, caller, replyTo));
  }

  /**
   * Cancels tasks of a job that have no place yet.
   *
   * @param reason why, in the user's words, or null
   */
  public CompletionStage<Reply<WaitingCancelled>> cancelWaiting(
      JobId job, WaitingTasks tasks, String reason, Caller caller) {
    return ask(
        replyTo -> new CoordinatorCommand.CancelWaiting(job, tasks, reason, caller, replyTo));
  }

  /**
   * Drains a node, or resumes it.
   *
   * @param reason why it is drained, in the user's words, or null
   */
  public CompletionStage<Reply<String>> use(String node, NodeUse use, String reason) {
    return ask(replyTo -> new CoordinatorCommand.DrainNode(node, use, reason, replyTo));
  }

  /**
   * Drains GPUs of a node, or resumes them.
   *
   * @param gpus their numbers or UUIDs
   * @param reason why they are drained, in the user's words, or null
   */
  public CompletionStage<Reply<String>> useGpus(
      String node, List<String> gpus, NodeUse use, String reason) {
    return ask(replyTo -> new CoordinatorCommand.DrainGpus(node, gpus, use, reason, replyTo));
  }

  public CompletionStage<Reply<String>> endForeign(String node, AttemptId attempt) {
    return ask(replyTo -> new CoordinatorCommand.EndForeign(node, attempt, replyTo));
  }

  public CompletionStage<Reply<String>> removeNode(String node) {
    return ask(replyTo -> new CoordinatorCommand.RemoveNode(node, replyTo));
  }

  /**
   * Declares a node permanently gone.
   *
   * @param reason why, in the user's words, or null
   */
  public CompletionStage<Reply<String>> giveUp(String node, String reason, Caller caller) {
    return ask(replyTo -> new CoordinatorCommand.GiveUpNode(node, reason, caller, replyTo));
  }

  public CompletionStage<Reply<String>> setUser(UserRow user) {
    return ask(replyTo -> new CoordinatorCommand.SetUser(user, replyTo));
  }

  public CompletionStage<Reply<String>> forgetProfile(JobType type) {
    return ask(replyTo -> new CoordinatorCommand.ForgetProfile(type, replyTo));
  }

  /** Changes the terms of a job. */
  public CompletionStage<Reply<CoordinatorCommand.JobSet>> set(
      JobId job, JobTermsChange change, ReferencedStoredJobs stored, Caller caller) {
    return ask(replyTo -> new CoordinatorCommand.SetJob(job, change, stored, caller, replyTo));
  }

  public CompletionStage<Reply<Explanation>> explain(JobId job) {
    return ask(replyTo -> new CoordinatorQuestion.Explain(job, replyTo));
  }

  /** Returns what running tasks have used so far, by index; nothing if it is not known here. */
  public CompletionStage<Map<Integer, TaskUse>> uses(JobId job) {
    return leads()
        ? ask(replyTo -> new CoordinatorQuestion.LookAtUses(job, replyTo))
        : CompletableFuture.completedFuture(Map.of());
  }

  /** Returns how far those of these jobs are that are live. */
  public CompletionStage<Map<JobId, LiveJobProgress>> look(List<JobId> jobs) {
    return ask(replyTo -> new CoordinatorQuestion.LookAtJobs(jobs, replyTo));
  }

  /**
   * Returns what metrics are made of.
   *
   * @param mostJobs running jobs that are told at most
   */
  public CompletionStage<ClusterMetrics> metrics(int mostJobs) {
    return ask(replyTo -> new CoordinatorQuestion.LookAtMetrics(mostJobs, replyTo));
  }

  /** Returns what those see who look on. */
  public CompletionStage<LiveClusterView> live() {
    return ask(CoordinatorQuestion.LookAtLive::new);
  }

  public CompletionStage<ClusterNodesSnapshot> nodes() {
    return ask(CoordinatorQuestion.LookAtNodes::new);
  }

  /**
   * Reads a part of an attempt's output, by way of the leader; here if the node is away.
   *
   * @param machine of the client, to which a node on it says where the output lies; or null
   */
  public CompletionStage<Reply<AgentMessage.Output>> output(
      String node,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit,
      String machine) {
    return leads()
        ? this.<Reply<AgentMessage.Output>>ask(
                replyTo ->
                    new CoordinatorCommand.ReadOutput(
                        node, attempt, stream, offset, limit, null, machine, replyTo))
            .thenCompose(reply -> orKept(reply, node, attempt, stream, offset, limit))
        : ForwardedTaskOutput.read(this, attempt, stream, offset, limit, machine);
  }

  private CompletionStage<Reply<AgentMessage.Output>> orKept(
      Reply<AgentMessage.Output> reply,
      String node,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit) {
    return reply instanceof Reply.No<AgentMessage.Output>
        ? CompletableFuture.supplyAsync(
            () -> outputHere.orKept(reply, node, attempt, stream, offset, limit), blocking)
        : CompletableFuture.completedFuture(reply);
  }

  /** Uses a channel beside an attempt; only where the coordinator is. */
  public CompletionStage<Reply<AgentMessage.Output>> channel(
      String node, AttemptId attempt, ChannelExchangeRequest what) {
    return ask(
        replyTo ->
            new CoordinatorCommand.ReadOutput(
                node, attempt, OutputStreamName.OUT, 0, 0, what, null, replyTo));
  }
}
