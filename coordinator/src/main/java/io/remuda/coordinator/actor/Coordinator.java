package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.protocol.StateLineage;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.LiveLimits;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.RetryPolicy;
import io.remuda.coordinator.registry.SharingPolicy;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.status.RunStatus;
import io.remuda.coordinator.store.JobRows;
import io.remuda.coordinator.store.LogEntry;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.UserRow;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.protocol.ToWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The actor that controls the cluster: it sends every node its desired state, receives the nodes'
 * reports, and schedules waiting tasks. The rules are in {@code registry}, {@code lifecycle} and
 * {@code schedule}; this actor carries messages, timers and effects.
 */
public final class Coordinator extends AbstractBehavior<Coordinator.Command> {

  /** A message to the coordinator. */
  public sealed interface Command {}

  /** Runs a job. */
  public record Submit(JobSpec job) implements Command {}

  /** Ends a job. */
  public record Cancel(JobId job) implements Command {}

  /** Lets the remaining tasks of a job run without the devices that it asked for. */
  public record WithoutGpus(JobId job) implements Command {}

  /** Starts the telemetry of all nodes. */
  public enum StartTelemetry implements Command {
    INSTANCE
  }

  /** Stops the telemetry of all nodes after a last sample. */
  public enum StopTelemetry implements Command {
    INSTANCE
  }

  /** Ends every node and its tasks. */
  public record EndNodes(String reason, Duration grace) implements Command {}

  /** Sends a worker the items that it has asked for. */
  public record Answer(AttemptId attempt, ToWorker message) implements Command {}

  /** Sends all later events to {@code follower}, which replaces the previous follower. */
  public record Follow(ActorRef<ClusterEvent> follower) implements Command {}

  /** Submits all of these jobs or none; the answer has their numbers. */
  public record SubmitJobs(List<NewJob> jobs, ActorRef<Reply<List<JobId>>> replyTo)
      implements Command {}

  /** Checks whether these jobs would be accepted, and changes nothing. */
  public record CheckJobs(List<NewJob> jobs, ActorRef<Reply<List<JobId>>> replyTo)
      implements Command {}

  /**
   * The user who sends a request.
   *
   * @param mayAll whether they may change the jobs of other users
   */
  public record Caller(String user, boolean mayAll) {}

  /** A change of a job by a user. */
  public enum Action {
    /** SIGTERM, and SIGKILL after each task's grace. */
    CANCEL,
    /** The rest of the grace is not waited for. */
    CANCEL_NOW,
    HOLD,
    RELEASE
  }

  /** Changes a job; the answer is sent when the change is durable. */
  public record ChangeJob(JobId job, Action action, Caller caller, ActorRef<Reply<JobId>> replyTo)
      implements Command {}

  /** Stops placing tasks on a node, or resumes it. */
  public record DrainNode(String node, boolean drained, ActorRef<Reply<String>> replyTo)
      implements Command {}

  /** Declares a silent node permanently gone, which ends its tasks. */
  public record GiveUpNode(String node, Caller caller, ActorRef<Reply<String>> replyTo)
      implements Command {}

  /** Forgets a node that is silent and has no task. */
  public record RemoveNode(String node, ActorRef<Reply<String>> replyTo) implements Command {}

  /** Deletes the profile of a job type. */
  public record ForgetProfile(JobType type, ActorRef<Reply<String>> replyTo) implements Command {}

  /** Stores a user's settings. */
  public record SetUser(UserRow user, ActorRef<Reply<String>> replyTo) implements Command {}

  /**
   * Requests a lease; the answer is sent when it is granted, at the latest after {@code
   * patienceMillis}.
   */
  public record AskLease(LeaseAsk ask, long patienceMillis, ActorRef<Reply<LeaseView>> replyTo)
      implements Command {}

  /**
   * Asks for the state of a lease; the answer is sent when it is granted, at the latest after
   * {@code patienceMillis}.
   */
  public record LookAtLease(
      JobId lease, Caller caller, long patienceMillis, ActorRef<Reply<LeaseView>> replyTo)
      implements Command {}

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
  public record GiveLeaseBack(
      JobId lease,
      int attempt,
      boolean succeeded,
      String error,
      boolean again,
      Caller caller,
      long patienceMillis,
      ActorRef<Reply<LeaseView>> replyTo)
      implements Command {}

  /** Asks why a job waits. */
  public record Explain(JobId job, ActorRef<Reply<Explanation>> replyTo) implements Command {}

  /** Asks for the resources of all nodes. */
  public record LookAtNodes(ActorRef<ClusterView> replyTo) implements Command {}

  /** Ends a task of another state file, named as in {@link ClusterView}. */
  public record EndForeign(String node, AttemptId attempt, ActorRef<Reply<String>> replyTo)
      implements Command {}

  /**
   * Reads a part of an attempt's output from the node that it was last on.
   *
   * @param offset in bytes; negative to count from the end
   * @param limit maximum number of bytes
   */
  public record ReadOutput(
      String node,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit,
      ActorRef<Reply<AgentMessage.Output>> replyTo)
      implements Command {}

  /** Cancels all placed tasks and accepts no more jobs; the answer says what is ending. */
  public record StopAll(Urgency urgency, ActorRef<Stopped> replyTo) implements Command {}

  /** Whether tasks that end have their grace. */
  public enum Urgency {
    IN_GRACE,
    AT_ONCE
  }

  /**
   * What was cancelled because the server stops.
   *
   * @param tasks how many were running or starting
   * @param longestGraceMillis the longest grace of any of them, 0 for none
   */
  public record Stopped(int tasks, long longestGraceMillis) {}

  /** Counts the tasks that are ending on nodes that are connected. */
  public record CountEnding(ActorRef<Integer> replyTo) implements Command {}

  record Committed(Runnable effect) implements Command {}

  record AgentJoined(AgentMessage.Hello hello, ActorRef<AgentSession.Command> session)
      implements Command {}

  record AgentSaid(String node, ActorRef<AgentSession.Command> session, AgentMessage message)
      implements Command {}

  record AgentGone(String node, ActorRef<AgentSession.Command> session, String cause)
      implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  private enum Cycle implements Command {
    INSTANCE
  }

  /**
   * The settings of a coordinator.
   *
   * @param run name of the run
   * @param epoch of its leadership, from 1
   * @param contactDeadline how long tied tasks may run without a message from it
   * @param tick period of orders and timeout checks
   * @param sample telemetry period
   */
  public record Settings(
      String run,
      long epoch,
      Duration contactDeadline,
      Duration tick,
      Duration sample,
      RetryPolicy retry,
      SharingPolicy sharing) {}

  /**
   * The persistence of a coordinator.
   *
   * @param durableLog makes rows durable
   * @param state the stored state at the start
   * @param jobRows turns changes into rows
   * @param wallMillis current time in milliseconds since 1970
   * @param nodesReturn time after the start in which nodes of an earlier coordinator join again
   * @param limits of the live jobs
   * @param stopped runs when the coordinator has stopped, normally or after a failure
   */
  public record Durable(
      DurableLog durableLog,
      StoreState state,
      JobRows jobRows,
      long wallMillis,
      Duration nodesReturn,
      LiveLimits limits,
      Runnable stopped) {}

  private static final long TICKS_OF_USE = 60;

  private final LongSupplier nanoClock;
  private final ClusterSubscribers subscribers;
  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks;
  private final CommitBatch batch;
  private final Runnable stopped;
  private final AgentConnections connections;
  private final LiveLoad load;
  private final JobAdmission admission;
  private final CommittedEffects effects;
  private final CommitPipeline pipeline;
  private final PendingOutputReads outputReads;
  private final UserCommands requests;
  private final NodeMembership membership;
  private final Leases leases;
  private final WorkerEvents workers;
  private final StatusPicture picture;
  private boolean cycleDue;
  private boolean settling;
  private long ticks;
  private final ActorRef<Command> self;

  private Coordinator(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Settings settings,
      LongSupplier nanoClock,
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<EventLog.Command> eventLog,
      ActorRef<RunStatus> status,
      Optional<Durable> durable) {
    super(context);
    this.self = context.getSelf();
    this.nanoClock = nanoClock;
    this.subscribers =
        new ClusterSubscribers(postProcessor, eventLog, status, context.getSystem().ignoreRef());
    this.tasks = new TaskRegistry(settings.retry(), settings.sharing(), nanoClock.getAsLong());
    StateLineage lineage = durable.map(store -> store.state().lineage()).orElse(StateLineage.ALL);
    this.connections =
        new AgentConnections(
            new CoordinatorMessage.Welcome(
                settings.epoch(),
                settings.contactDeadline().toMillis(),
                settings.sample().toMillis(),
                lineage),
            tasks);
    this.outputReads = new PendingOutputReads(connections, tasks, lineage);
    this.workers = new WorkerEvents(tasks, connections);
    this.picture = new StatusPicture(settings.run(), nodes, tasks);
    DurableLog durableLog = durable.map(Durable::durableLog).orElse(DurableLog.NOT);
    this.batch = new CommitBatch(durableLog);
    this.stopped = durable.map(Durable::stopped).orElse(() -> {});
    this.load = new LiveLoad(durable.map(Durable::limits).orElse(LiveLimits.NONE));
    this.admission =
        new JobAdmission(
            tasks,
            nodes,
            durable.map(Durable::jobRows),
            durableLog,
            load,
            now() + durable.map(Durable::nodesReturn).orElse(Duration.ZERO).toNanos());
    this.effects = new CommittedEffects(tasks, admission, connections, workers, subscribers);
    this.pipeline = new CommitPipeline(batch, admission, effects, self, this::cycle);
    this.requests =
        new UserCommands(
            admission, tasks, connections, pipeline, outputReads, picture, nanoClock, this::cycle);
    this.leases = new Leases(tasks, admission, connections, pipeline, nanoClock, this::cycle);
    effects.alsoTell(leases::moved);
    this.membership =
        new NodeMembership(
            nodes,
            tasks,
            connections,
            lineage,
            leases,
            subscribers,
            pipeline,
            nanoClock,
            this::cycle);
    durable.ifPresent(this::restore);
    timers.startTimerWithFixedDelay(Tick.INSTANCE, settings.tick());
  }

  /**
   * Creates the behaviour of a coordinator without a store.
   *
   * @param nanoClock monotonic clock in nanoseconds
   * @param postProcessor receives all samples
   * @param eventLog receives the events of nodes and tasks
   * @param status receives the status with each tick
   */
  public static Behavior<Command> create(
      Settings settings,
      LongSupplier nanoClock,
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<EventLog.Command> eventLog,
      ActorRef<RunStatus> status) {
    return create(settings, nanoClock, postProcessor, eventLog, status, Optional.empty());
  }

  /**
   * Creates the behaviour of a coordinator with an optional store.
   *
   * @param durable the state to continue from, and its store
   */
  public static Behavior<Command> create(
      Settings settings,
      LongSupplier nanoClock,
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<EventLog.Command> eventLog,
      ActorRef<RunStatus> status,
      Optional<Durable> durable) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new Coordinator(
                        context,
                        timers,
                        settings,
                        nanoClock,
                        postProcessor,
                        eventLog,
                        status,
                        durable)));
  }

  /** Restores the state of an earlier coordinator; its nodes count as silent until they join. */
  private void restore(Durable durable) {
    RegistryRestore.into(tasks, durable.state(), durable.wallMillis(), now());
    durable.state().jobs().forEach(job -> load.add(job.spec()));
    durable.state().drained().forEach(nodes::drain);
    effects.goOn();
    leases.goOn();
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Follow.class, this::onFollow)
        .onMessage(Submit.class, this::onSubmit)
        .onMessage(Cancel.class, this::onCancel)
        .onMessage(WithoutGpus.class, this::onWithoutGpus)
        .onMessage(StartTelemetry.class, message -> onSampling(true))
        .onMessage(StopTelemetry.class, message -> onSampling(false))
        .onMessage(EndNodes.class, this::onEndNodes)
        .onMessage(Answer.class, this::onAnswer)
        .onMessage(SubmitJobs.class, requests::onSubmitJobs)
        .onMessage(CheckJobs.class, requests::onCheckJobs)
        .onMessage(ChangeJob.class, requests::onChangeJob)
        .onMessage(DrainNode.class, requests::onDrainNode)
        .onMessage(GiveUpNode.class, requests::onGiveUpNode)
        .onMessage(SetUser.class, requests::onSetUser)
        .onMessage(ForgetProfile.class, requests::onForgetProfile)
        .onMessage(AskLease.class, leases::onAsk)
        .onMessage(LookAtLease.class, leases::onLook)
        .onMessage(GiveLeaseBack.class, leases::onGiveBack)
        .onMessage(Explain.class, requests::onExplain)
        .onMessage(LookAtNodes.class, requests::onLookAtNodes)
        .onMessage(ReadOutput.class, requests::onReadOutput)
        .onMessage(EndForeign.class, membership::onEndForeign)
        .onMessage(RemoveNode.class, requests::onRemoveNode)
        .onMessage(StopAll.class, requests::onStopAll)
        .onMessage(CountEnding.class, requests::onCountEnding)
        .onMessage(Committed.class, this::onCommitted)
        .onMessage(AgentJoined.class, membership::onAgentJoined)
        .onMessage(AgentSaid.class, this::onAgentSaid)
        .onMessage(AgentGone.class, membership::onAgentGone)
        .onMessage(Tick.class, message -> onTick())
        .onMessage(Cycle.class, message -> onCycle())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<Command> onStop() {
    stopped.run();
    return this;
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private Behavior<Command> onFollow(Follow command) {
    subscribers.followedBy(command.follower(), new ClusterEvent.Leading(self));
    return this;
  }

  private Behavior<Command> onSubmit(Submit command) {
    tasks.submit(command.job(), now());
    return cycle();
  }

  private Behavior<Command> onCancel(Cancel command) {
    pipeline.publish(tasks.cancel(command.job(), now()));
    return cycle();
  }

  private Behavior<Command> onWithoutGpus(WithoutGpus command) {
    tasks.withoutGpus(command.job());
    return cycle();
  }

  private Behavior<Command> onCommitted(Committed event) {
    event.effect().run();
    return this;
  }

  private Behavior<Command> onSampling(boolean on) {
    connections.sample(on);
    return this;
  }

  private Behavior<Command> onEndNodes(EndNodes command) {
    connections.end(new CoordinatorMessage.EndNode(command.reason(), command.grace().toMillis()));
    return this;
  }

  private Behavior<Command> onAnswer(Answer command) {
    workers.answer(command.attempt(), command.message());
    return this;
  }

  private Behavior<Command> onAgentSaid(AgentSaid event) {
    if (!connections.isCurrent(event.node(), event.session())) {
      return this; // its session was replaced
    }
    if (event.message() instanceof AgentMessage.Report report) {
      return membership.onReport(event.node(), report);
    } else if (event.message() instanceof AgentMessage.Telemetry telemetry) {
      boolean room = false;
      for (NodeSample sample : telemetry.samples()) {
        room |= nodes.sampled(sample);
      }
      picture.sampled(telemetry.samples());
      subscribers.sampled(telemetry.samples());
      return room ? cycle() : this;
    } else if (event.message() instanceof AgentMessage.Standstill standstill) {
      return membership.onStandstill(event.node(), standstill, System.currentTimeMillis());
    } else if (event.message() instanceof AgentMessage.Devices devices) {
      nodes.devices(event.node(), devices.devices());
      return cycle();
    } else if (event.message() instanceof AgentMessage.TaskHappened happened) {
      workers.heard(happened).ifPresent(subscribers::tellFollower);
    } else if (event.message() instanceof AgentMessage.Output output) {
      outputReads.answered(output);
    } else if (event.message() instanceof AgentMessage.Signalled) {
      subscribers.tellFollower(new ClusterEvent.NodeSignalled(event.node()));
    } else if (event.message() instanceof AgentMessage.Leaving leaving) {
      getContext().getLog().info("{} leaves: {}", event.node(), leaving.reason());
    }
    return this;
  }

  private Behavior<Command> onTick() {
    membership.tick();
    pipeline.publish(tasks.tick(now()));
    outputReads.tick(now());
    leases.tick();
    noteUse();
    onCycle();
    connections.orderAll();
    workers.repeat();
    subscribers.standing(picture.now());
    if (!batch.areKept() && !tasks.waiting().isEmpty()) { // a service is polled instead
      subscribers.tellFollower(new ClusterEvent.Waiting(tasks.waiting(), nodes.anyDeviceAnswers()));
    }
    return this;
  }

  /** Stores the use of each user every {@value #TICKS_OF_USE} ticks. */
  private void noteUse() {
    if (batch.areKept() && ++ticks % TICKS_OF_USE == 0) {
      List<LogEntry> entries = new ArrayList<>();
      tasks
          .use(now())
          .forEach((user, seconds) -> entries.add(new LogEntry.UseNoted(user, seconds)));
      pipeline.publish(List.of(), entries, () -> {});
    }
  }

  /** Brings tasks to the state of their jobs, in portions: each waits for the previous commit. */
  private void settle() {
    if (!settling && tasks.isUnsettled()) {
      settling = true;
      pipeline.publish(
          tasks.settle(now()),
          List.of(),
          () -> {
            settling = false;
            cycle();
          });
    }
  }

  /** Schedules waiting tasks after the messages that have arrived by now. */
  private Behavior<Command> cycle() {
    if (!cycleDue) {
      cycleDue = true;
      self.tell(Cycle.INSTANCE);
    }
    return this;
  }

  /** Schedules waiting tasks and sends the changed orders. */
  private Behavior<Command> onCycle() {
    cycleDue = true; // its own changes need no further cycle
    settle();
    if (!connections.areEnding() && !admission.isClosed()) {
      pipeline.publish(tasks.schedule(nodes.all(), node -> TaskRegistry.NOT_ORDERED, now()));
    }
    batch.save();
    cycleDue = false;
    connections.orderChanged();
    return this;
  }
}
