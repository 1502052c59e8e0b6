package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.commit.UserUseRecorder;
import io.remuda.coordinator.job.DeviceLeaseDecisions;
import io.remuda.coordinator.job.EndedJobEviction;
import io.remuda.coordinator.job.JobAdmission;
import io.remuda.coordinator.job.JobAndNodeQueries;
import io.remuda.coordinator.job.JobControl;
import io.remuda.coordinator.job.LiveJobLimiter;
import io.remuda.coordinator.job.NodeMembership;
import io.remuda.coordinator.meter.CoordinatorMeters;
import io.remuda.coordinator.node.AgentConnections;
import io.remuda.coordinator.node.NodeControl;
import io.remuda.coordinator.node.PendingOutputReads;
import io.remuda.coordinator.node.StatusPicture;
import io.remuda.coordinator.node.WorkerEventRelay;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.schedule.CycleTimes;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.status.RunNodesStatus;
import java.time.Duration;
import java.util.List;
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
 * reports, and schedules waiting tasks. Rules decide what follows from a message; this actor has
 * their {@link Decision}s committed and carried out, and keeps the time.
 */
public final class Coordinator extends AbstractBehavior<CoordinatorCommand> {

  /**
   * The settings of a coordinator.
   *
   * @param run name of the run
   * @param epoch of its leadership, from 1
   * @param contactDeadline how long tied tasks may run without a message from it
   * @param tick period of orders and timeout checks
   * @param sample telemetry period
   * @param nodesReturn time in which nodes of an earlier coordinator join again
   * @param limits of the live jobs
   * @param notices whom jobs may tell what happens to them
   */
  public record Settings(
      String run,
      long epoch,
      Duration contactDeadline,
      Duration tick,
      Duration sample,
      RetryPolicy retry,
      SchedulingSettings sharing,
      Duration nodesReturn,
      LiveJobLimits limits,
      NoticeSettings notices) {}

  /** The message to the guardian after the coordinator has stopped, normally or by a failure. */
  public enum Ended {
    INSTANCE
  }

  /**
   * The actors that a coordinator tells what happens.
   *
   * @param postProcessor receives all samples
   * @param eventLog receives the events of nodes and tasks
   * @param status receives the status with each tick
   * @param guardian receives the end of the coordinator
   */
  public record Subscribers(
      ActorRef<TelemetryPostProcessor.Command> postProcessor,
      ActorRef<EventFileAppender.Command> eventLog,
      ActorRef<RunNodesStatus> status,
      ActorRef<Ended> guardian) {}

  private static final Duration SLOW_CYCLE = Duration.ofSeconds(1);

  private final LongSupplier nanoClock;
  private final ActorRef<CoordinatorCommand> self;
  private final ActorRef<Ended> guardian;
  private final ClusterSubscribers subscribers;
  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks;
  private final AgentConnections connections;
  private final JobAdmission admission;
  private final JobControl jobControl;
  private final NodeControl nodeControl;
  private final JobAndNodeQueries queries;
  private final PendingOutputReads outputReads;
  private final NodeMembership membership;
  private final DeviceLeaseDecisions leases;
  private final WorkerEventRelay workers;
  private final StatusPicture picture;
  private final AgentMessageHandler agentMessages;
  private final UserUseRecorder useRows;
  private final CommitPipeline pipeline;
  private final CycleTimes cycleTimes;
  private final CoordinatorMeters meters;
  private boolean cycleDue;
  private boolean settling;

  private Coordinator(
      ActorContext<CoordinatorCommand> context,
      TimerScheduler<CoordinatorCommand> timers,
      Settings settings,
      LongSupplier nanoClock,
      Subscribers subscribers,
      CoordinatorPersistence durable) {
    super(context);
    this.self = context.getSelf();
    this.nanoClock = nanoClock;
    this.meters = new CoordinatorMeters(durable.durableLog()::syncs);
    this.guardian = subscribers.guardian();
    this.subscribers =
        new ClusterSubscribers(
            subscribers.postProcessor(), subscribers.eventLog(), subscribers.status());
    this.tasks = new TaskRegistry(settings.retry(), settings.sharing(), now());
    StateFileLineage lineage = durable.state().lineage();
    this.connections =
        new AgentConnections(
            new CoordinatorMessage.Welcome(
                settings.epoch(),
                settings.contactDeadline().toMillis(),
                settings.sample().toMillis(),
                lineage),
            tasks,
            meters.trips(nanoClock));
    this.picture = new StatusPicture(settings.run(), nodes, tasks);
    this.queries = new JobAndNodeQueries(tasks, nodes, connections, meters);
    this.outputReads = new PendingOutputReads(connections, tasks, lineage);
    this.workers = new WorkerEventRelay(tasks);
    LiveJobLimiter load = new LiveJobLimiter(settings.limits());
    EndedJobEviction endedJobs = new EndedJobEviction(tasks, load);
    this.admission =
        new JobAdmission(
            tasks,
            nodes,
            durable.jobRows(),
            durable.durableLog(),
            load,
            endedJobs,
            now() + settings.nodesReturn().toNanos(),
            settings.notices());
    this.jobControl = new JobControl(tasks, durable.jobRows(), admission);
    this.nodeControl = new NodeControl(nodes, tasks);
    this.leases = new DeviceLeaseDecisions(tasks, admission, connections);
    this.membership = new NodeMembership(nodes, tasks, connections, lineage, leases);
    EffectInterpreter interpreter =
        new EffectInterpreter(tasks, connections, workers, leases, endedJobs, this.subscribers);
    this.pipeline =
        new CommitPipeline(
            durable.durableLog(), durable.jobRows(), tasks, interpreter, meters, self);
    this.agentMessages =
        new AgentMessageHandler(membership, workers, outputReads, this.subscribers);
    this.useRows = new UserUseRecorder(tasks);
    this.cycleTimes = new CycleTimes(nanoClock);
    restore(durable, load, interpreter);
    timers.startTimerWithFixedDelay(CoordinatorCommand.Tick.INSTANCE, settings.tick());
  }

  /**
   * Creates the behaviour of a coordinator.
   *
   * @param nanoClock monotonic clock in nanoseconds
   * @param durable the state to continue from, and its store
   */
  public static Behavior<CoordinatorCommand> create(
      Settings settings,
      LongSupplier nanoClock,
      Subscribers subscribers,
      CoordinatorPersistence durable) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new Coordinator(context, timers, settings, nanoClock, subscribers, durable)));
  }

  /** Restores the state of an earlier coordinator; its nodes count as silent until they join. */
  private void restore(
      CoordinatorPersistence durable, LiveJobLimiter load, EffectInterpreter interpreter) {
    durable.restore(tasks, now());
    durable.state().jobs().forEach(job -> load.add(job.spec()));
    durable.state().drained().forEach((node, drain) -> nodes.drain(node, none -> drain));
    interpreter.goOn();
    leases.goOn(now());
  }

  @Override
  public Receive<CoordinatorCommand> createReceive() {
    return queries
        .answeredIn(newReceiveBuilder(), this::now, this::carryOut)
        .onMessage(
            CoordinatorCommand.SubmitJobs.class,
            command -> carryOut(admission.submit(command, now())))
        .onMessage(
            CoordinatorCommand.CheckJobs.class,
            command -> carryOut(admission.check(command, now())))
        .onMessage(
            CoordinatorCommand.ChangeJob.class,
            command -> carryOut(jobControl.change(command, now())))
        .onMessage(
            CoordinatorCommand.ChangeJobs.class, ask -> carryOut(jobControl.changeAll(ask, now())))
        .onMessage(
            CoordinatorCommand.CancelWaiting.class,
            command -> carryOut(jobControl.cancelWaiting(command, now())))
        .onMessage(
            CoordinatorCommand.SetJob.class, command -> carryOut(jobControl.set(command, now())))
        .onMessage(
            CoordinatorCommand.StopAll.class, command -> carryOut(jobControl.stop(command, now())))
        .onMessage(
            CoordinatorCommand.CountEnding.class, ask -> carryOut(jobControl.countEnding(ask)))
        .onMessage(
            CoordinatorCommand.ForgetProfile.class, ask -> carryOut(jobControl.forgetProfile(ask)))
        .onMessage(
            CoordinatorCommand.SetUser.class, command -> carryOut(jobControl.setUser(command)))
        .onMessage(
            CoordinatorCommand.DrainNode.class,
            command -> carryOut(nodeControl.drain(command, now())))
        .onMessage(
            CoordinatorCommand.DrainGpus.class,
            command -> carryOut(nodeControl.drainGpus(command, now())))
        .onMessage(
            CoordinatorCommand.GiveUpNode.class,
            command -> carryOut(nodeControl.giveUp(command, now())))
        .onMessage(
            CoordinatorCommand.RemoveNode.class, command -> carryOut(nodeControl.remove(command)))
        .onMessage(
            CoordinatorCommand.EndForeign.class, ask -> carryOut(nodeControl.endForeign(ask)))
        .onMessage(
            CoordinatorCommand.AskLease.class, command -> carryOut(leases.ask(command, now())))
        .onMessage(
            CoordinatorCommand.LookAtLease.class, command -> carryOut(leases.look(command, now())))
        .onMessage(
            CoordinatorCommand.GiveLeaseBack.class,
            command -> carryOut(leases.giveBack(command, now())))
        .onMessage(
            CoordinatorCommand.ReadOutput.class, ask -> carryOut(outputReads.ask(ask, now())))
        .onMessage(CoordinatorCommand.Answer.class, command -> carryOut(workers.answer(command)))
        .onMessage(
            CoordinatorCommand.AgentJoined.class,
            event -> carryOut(membership.joined(event, now())))
        .onMessage(CoordinatorCommand.AgentSaid.class, this::onAgentSaid)
        .onMessage(
            CoordinatorCommand.AgentGone.class, event -> carryOut(membership.gone(event, now())))
        .onMessage(
            CoordinatorCommand.ServerEnds.class,
            event -> carryOut(jobControl.serverEnds(event, now())))
        .onMessage(
            CoordinatorCommand.TakeNodesAway.class,
            command -> carryOut(nodeControl.takeAway(command, now())))
        .onMessage(CoordinatorCommand.Follow.class, this::onFollow)
        .onMessage(CoordinatorCommand.FollowNodes.class, this::onFollowNodes)
        .onMessage(CoordinatorCommand.WithoutGpus.class, this::onWithoutGpus)
        .onMessage(CoordinatorCommand.StartTelemetry.class, command -> onSampling(true))
        .onMessage(CoordinatorCommand.StopTelemetry.class, command -> onSampling(false))
        .onMessage(CoordinatorCommand.EndNodes.class, this::onEndNodes)
        .onMessage(CoordinatorCommand.Committed.class, this::onCommitted)
        .onMessage(CoordinatorCommand.SettleNext.class, event -> onSettleNext())
        .onMessage(CoordinatorCommand.Tick.class, event -> onTick())
        .onMessage(CoordinatorCommand.Cycle.class, event -> onCycle())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  /** Has a decision carried out: what need not wait at once, the rest with the next cycle. */
  private Behavior<CoordinatorCommand> carryOut(Decision decision) {
    pipeline.add(decision, now());
    return decision.mayPlace() || pipeline.isDue() ? cycleSoon() : this;
  }

  private Behavior<CoordinatorCommand> onAgentSaid(CoordinatorCommand.AgentSaid event) {
    boolean current = connections.isCurrent(event.node(), event.session());
    return current
        ? carryOut(agentMessages.heard(event.node(), event.message(), now()))
        : this; // replaced sessions
  }

  private Behavior<CoordinatorCommand> onFollow(CoordinatorCommand.Follow command) {
    subscribers.followedBy(command.follower(), new ClusterEvent.Leading(self));
    return this;
  }

  private Behavior<CoordinatorCommand> onFollowNodes(CoordinatorCommand.FollowNodes command) {
    subscribers.nodesFollowedBy(command.follower());
    return this;
  }

  private Behavior<CoordinatorCommand> onWithoutGpus(CoordinatorCommand.WithoutGpus command) {
    tasks.requests().withoutGpus(command.job());
    return cycleSoon();
  }

  private Behavior<CoordinatorCommand> onSampling(boolean on) {
    connections.sample(on);
    return this;
  }

  private Behavior<CoordinatorCommand> onEndNodes(CoordinatorCommand.EndNodes command) {
    connections.end(new CoordinatorMessage.EndNode(command.reason(), command.grace().toMillis()));
    return this;
  }

  private Behavior<CoordinatorCommand> onCommitted(CoordinatorCommand.Committed event) {
    pipeline.committed(event.number(), now());
    return this;
  }

  /** Brings tasks to the state of their jobs, in portions: each waits for the previous commit. */
  private Decision settle() {
    if (settling || !tasks.isUnsettled()) {
      return Decision.NONE;
    }
    settling = true;
    return jobControl
        .settle(now())
        .then(new Effect.Tell<>(self, CoordinatorCommand.SettleNext.INSTANCE));
  }

  private Behavior<CoordinatorCommand> onSettleNext() {
    settling = false;
    return cycleSoon();
  }

  private Behavior<CoordinatorCommand> onTick() {
    membership.tick(now());
    pipeline.add(Decision.of(tasks.tick(now())), now());
    pipeline.add(jobControl.begin(now()), now());
    pipeline.add(jobControl.killOverdueMembers(now()), now());
    outputReads.tick(now());
    pipeline.add(leases.tick(now()), now());
    pipeline.add(useRows.tick(now()), now());
    onCycle();
    connections.orderAll();
    pipeline.add(workers.repeat(), now());
    subscribers.standing(picture.now(now()));
    if (subscribers.hasFollower() && !tasks.waiting().isEmpty()) {
      subscribers.tellFollower(new ClusterEvent.Waiting(tasks.waiting(), nodes.anyDeviceAnswers()));
    }
    return this;
  }

  private Behavior<CoordinatorCommand> cycleSoon() {
    if (!cycleDue) {
      cycleDue = true;
      self.tell(CoordinatorCommand.Cycle.INSTANCE);
    }
    return this;
  }

  /** Schedules waiting tasks, and commits all decisions since the last cycle. */
  private Behavior<CoordinatorCommand> onCycle() {
    cycleTimes.begin();
    pipeline.add(settle(), now());
    if (!connections.areEnding() && !admission.isClosed()) {
      pipeline.add(Decision.of(schedule()), now());
    }
    pipeline.save(now());
    cycleTimes.end(CycleTimes.Step.COMMIT);
    meters.cycle(cycleTimes);
    if (cycleTimes.total().compareTo(SLOW_CYCLE) > 0) {
      getContext().getLog().warn("a scheduling cycle was slow: {}", cycleTimes);
    }
    cycleDue = false;
    connections.orderChanged();
    return this;
  }

  private List<TaskChange> schedule() {
    return tasks.schedule(nodes.all(), cycleTimes, now());
  }

  private Behavior<CoordinatorCommand> onStop() {
    guardian.tell(Ended.INSTANCE);
    return this;
  }
}
