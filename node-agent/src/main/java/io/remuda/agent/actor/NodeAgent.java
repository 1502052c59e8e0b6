package io.remuda.agent.actor;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.gpu.GpuProcessTaskAnnotator;
import io.remuda.agent.gpu.LeaseHolderProcesses;
import io.remuda.agent.keeper.join.AgentKeepers;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.recovery.ReceivedDesiredState;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * The agent of one node. Keeps the running tasks equal to the desired state from the coordinator,
 * reports them every second and at each change, and ends tied tasks once the contact deadline has
 * passed. It dials only after it knows from the keeper what already runs.
 */
public final class NodeAgent extends AbstractBehavior<NodeAgentCommand> {

  /**
   * The parts of this agent.
   *
   * @param keepers of which one owns the processes of the tasks
   * @param devicesFrom source of the device list, or why there are no devices
   * @param labels labels by which jobs choose nodes
   * @param counted amounts of the node's counted resources
   * @param network how other nodes reach this one, without an address unless one was given
   * @param files does all file operations
   * @param refused is set when the coordinator refuses this agent or none is found
   */
  public record Parts(
      AgentSettings settings,
      Distribution distribution,
      AgentKeepers keepers,
      TelemetrySampler sampler,
      HostInfo host,
      MachineFacts machine,
      String devicesFrom,
      Map<String, String> labels,
      Map<String, Long> counted,
      NodeAddressAndPorts network,
      FileWork files,
      LongSupplier nanoClock,
      AtomicBoolean refused) {}

  private final Parts parts;
  private final AgentSettings settings;
  private final CoordinatorMembership coordinatorMembership;
  private final ActorRef<KeeperConnectionActor.Command> keeper;
  private final ActorRef<TelemetryActor.Command> telemetry;
  private final OutputReader.Sender output;
  private final NodeFileOperations files;
  private final NodeAttempts tasks;
  private final ReceivedDesiredState order = new ReceivedDesiredState();
  private final ContactWatch contact;
  private final KeeperTaskSurvey keeperJoin;
  private final NodeReports reports;
  private final NodeEnding ending;
  private Duration sampleInterval = Duration.ofSeconds(1);
  private final TimerScheduler<NodeAgentCommand> timers;

  private NodeAgent(
      ActorContext<NodeAgentCommand> context,
      TimerScheduler<NodeAgentCommand> timers,
      Parts parts) {
    super(context);
    this.parts = parts;
    this.settings = parts.settings();
    this.timers = timers;
    this.keeper =
        context.spawn(
            KeeperConnectionActor.create(parts.keepers(), context.getSelf()),
            "keeper",
            KeeperConnectionActor.PROPS);
    LeaseHolderProcesses leased = new LeaseHolderProcesses();
    this.telemetry =
        context.spawn(
            TelemetryActor.create(
                parts.sampler(),
                new GpuProcessTaskAnnotator(settings.keyPrefix(), leased),
                context.getSelf()),
            "telemetry",
            TelemetryActor.PROPS);
    this.output =
        new OutputReader.Sender(
            context.spawn(
                OutputReader.create(settings, context.getSelf()), "output", OutputReader.PROPS));
    ReportPace pace = new ReportPace();
    this.contact = new ContactWatch(timers, keeper, settings, parts.nanoClock());
    this.files = NodeFileOperations.of(parts, context, output);
    this.tasks = new NodeAttempts(context, parts, files, keeper, leased, telemetry, contact, pace);
    this.coordinatorMembership = new CoordinatorMembership(context, parts);
    this.keeperJoin = new KeeperTaskSurvey(files);
    NodeStallDetector stall = new NodeStallDetector(files, settings);
    this.ending =
        new NodeEnding(
            context,
            timers,
            parts,
            order,
            tasks,
            coordinatorMembership,
            contact,
            keeper,
            telemetry);
    this.reports = new NodeReports(timers, pace, stall, order, tasks, coordinatorMembership);
    context.watch(keeper);
    context.watch(telemetry);
    files.findRemains();
    timers.startTimerWithFixedDelay(NodeAgentCommand.Tick.INSTANCE, settings.timing().report());
  }

  public static Behavior<NodeAgentCommand> create(Parts parts) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new NodeAgent(context, timers, parts)));
  }

  @Override
  public Receive<NodeAgentCommand> createReceive() {
    return newReceiveBuilder()
        .onMessage(NodeAgentCommand.KeeperReady.class, this::onKeeperReady)
        .onMessage(NodeAgentCommand.KeeperLost.class, this::onKeeperLost)
        .onMessage(NodeAgentCommand.KeeperMissing.class, this::onKeeperMissing)
        .onMessage(
            NodeAgentCommand.Unended.class, event -> after(() -> tasks.unended(event.reasons())))
        .onMessage(NodeAgentCommand.KeeperAway.class, event -> after(this::away))
        .onMessage(
            NodeAgentCommand.KeeperSilent.class,
            event -> after(() -> reports.keeperSilent(event.millis())))
        .onMessage(
            NodeAgentCommand.NothingLeft.class, message -> after(coordinatorMembership::dial))
        .onMessage(NodeAgentCommand.AccessMissing.class, message -> ending.accessMissing())
        .onMessage(
            NodeAgentCommand.FoldersPrepared.class, event -> after(() -> tasks.prepared(event)))
        .onMessage(NodeAgentCommand.EndRead.class, event -> after(() -> tasks.endRead(event)))
        .onMessage(NodeAgentCommand.TrainingTold.class, event -> after(() -> tasks.trained(event)))
        .onMessage(
            NodeAgentCommand.GiveBackNoted.class, event -> after(() -> tasks.giveBackNoted(event)))
        .onMessage(
            NodeAgentCommand.UnbegunFound.class, event -> after(() -> tasks.unbegunFound(event)))
        .onMessage(NodeAgentCommand.Surveyed.class, this::onSurveyed)
        .onMessage(NodeAgentCommand.KeeperEnded.class, message -> Behaviors.stopped())
        .onMessage(
            NodeAgentCommand.LinkUp.class,
            event -> after(() -> coordinatorMembership.introduce(tasks.introduced(), event)))
        .onMessage(
            NodeAgentCommand.LinkDown.class, message -> after(coordinatorMembership::disconnected))
        .onMessage(NodeAgentCommand.FromCoordinator.class, this::onFromCoordinator)
        .onMessage(
            NodeAgentCommand.TaskAnswered.class,
            event -> after(() -> tasks.answered(event.attempt(), event.answer())))
        .onMessage(NodeAgentCommand.TaskExited.class, this::onTaskExited)
        .onMessage(
            NodeAgentCommand.TaskChanged.class, event -> after(() -> tasks.changed(event.report())))
        .onMessage(
            NodeAgentCommand.TaskHappened.class,
            event -> after(() -> coordinatorMembership.send(event.message())))
        .onMessage(
            NodeAgentCommand.MetricsRead.class,
            event -> after(() -> coordinatorMembership.send(event.message())))
        .onMessage(NodeAgentCommand.UseRead.class, event -> after(() -> tasks.used(event.uses())))
        .onMessage(NodeAgentCommand.Sampled.class, event -> after(() -> onSampled(event.sample())))
        .onMessage(
            NodeAgentCommand.OutputRead.class,
            event -> after(() -> coordinatorMembership.send(event.answer())))
        .onMessage(NodeAgentCommand.Tick.class, message -> onTick())
        .onMessage(
            NodeAgentCommand.ContactLost.class,
            message -> contact.isLost() ? endWithoutContact() : this)
        .onMessage(NodeAgentCommand.Leave.class, command -> ending.leaveSignalled(command.reason()))
        .onMessage(
            NodeAgentCommand.AwaitOrder.class, command -> ending.awaitOrder(command.reason()))
        .onMessage(NodeAgentCommand.GiveUp.class, message -> Behaviors.stopped())
        .onMessage(NodeAgentCommand.News.class, message -> onNews())
        .onMessage(NodeAgentCommand.ReportDue.class, message -> after(this::onReportDue))
        .onSignal(PostStop.class, signal -> after(this::onStop))
        .build();
  }

  /** Carries out a step that changes no phase of this actor. */
  private Behavior<NodeAgentCommand> after(Runnable step) {
    step.run();
    return this;
  }

  /** Reads the folders of the keeper's tasks first. */
  private Behavior<NodeAgentCommand> onKeeperReady(NodeAgentCommand.KeeperReady event) {
    reports.keeperSilent(0);
    keeperJoin.begin(event);
    return this;
  }

  private Behavior<NodeAgentCommand> onSurveyed(NodeAgentCommand.Surveyed event) {
    if (!keeperJoin.isCurrent(event)) {
      return this; // that keeper is gone, or was joined again
    }
    if (event.found().isEmpty()) {
      getContext().getLog().error("the folders of tasks could not be read, trying again");
      timers.startSingleTimer(
          NodeAgentCommand.Surveyed.class, event.keeper(), settings.timing().report());
      return this;
    }
    tasks.adopt(event.keeper().connection(), event.found().get());
    keeperJoin.complete().forEach(tasks::exited);
    coordinatorMembership.dial();
    reconcile();
    return this;
  }

  private Behavior<NodeAgentCommand> onKeeperLost(NodeAgentCommand.KeeperLost event) {
    away();
    tasks.keeperLost(event.cause());
    return this;
  }

  /**
   * Refuses new tasks. An order exists only after a dial, and by then all earlier attempts are
   * known.
   */
  private Behavior<NodeAgentCommand> onKeeperMissing(NodeAgentCommand.KeeperMissing event) {
    tasks.keeperMissing(event.cause());
    reconcile();
    return this;
  }

  /** Waits for the keeper; its tasks continue, and requests are repeated once it is joined. */
  private void away() {
    keeperJoin.away();
    timers.cancel(NodeAgentCommand.Surveyed.class);
    tasks.keeperAway();
    reports.keeperSilent(0);
  }

  private Behavior<NodeAgentCommand> onFromCoordinator(NodeAgentCommand.FromCoordinator event) {
    CoordinatorMessage message = event.message();
    if (message instanceof CoordinatorMessage.Welcome welcome) {
      return onWelcome(welcome);
    } else if (message instanceof CoordinatorMessage.Desired wanted) {
      return onDesired(wanted);
    } else if (message instanceof CoordinatorMessage.ToTask toTask) {
      tasks.tell(toTask.attempt(), toTask.message());
    } else if (message instanceof CoordinatorMessage.ReadOutput question) {
      output.read(question, tasks.pidOf(question.attempt()), tasks.has(question.attempt()));
    } else if (message instanceof CoordinatorMessage.GiveBack back) {
      tasks.giveBack(back);
    } else if (message instanceof CoordinatorMessage.MetricsKept kept) {
      tasks.metrics().kept(kept.attempt(), kept.until());
    } else if (message instanceof CoordinatorMessage.EndForeign unwanted) {
      tasks.end(unwanted.attempt(), "ended by hand");
    } else if (message instanceof CoordinatorMessage.KillNow kill) {
      kill.attempts().forEach(tasks::killNow);
    } else if (message instanceof CoordinatorMessage.EndNode endNode) {
      return ending.end(endNode.reason(), Duration.ofMillis(endNode.graceMillis()));
    } else if (message instanceof CoordinatorMessage.Refused refused) {
      return ending.giveUp(
          "refused by the coordinator: " + refused.reason(), "refused: " + refused.reason());
    } else if (message instanceof CoordinatorMessage.NameTaken) {
      return ending.nameTaken();
    }
    return this; // the link handles NotLeader
  }

  private Behavior<NodeAgentCommand> onWelcome(CoordinatorMessage.Welcome welcome) {
    coordinatorMembership.welcome();
    getContext().getLog().info("node {} has joined {}", settings.node(), settings.access());
    contact.begin(Duration.ofMillis(welcome.contactMillis()));
    sampleInterval = Duration.ofMillis(welcome.sampleMillis());
    order.lead(welcome.epoch(), welcome.lineage());
    tasks.metrics().wanted(welcome.understands().contains(CoordinatorMessage.Welcome.METRICS));
    tasks.lead(welcome.lineage());
    return this;
  }

  private Behavior<NodeAgentCommand> onDesired(CoordinatorMessage.Desired wanted) {
    if (!coordinatorMembership.isWelcome() || order.isStale(wanted)) {
      return this;
    }
    contact.renew();
    boolean otherSampling = wanted.sampling() != order.sampling();
    if (otherSampling) {
      telemetry.tell(
          order.sampling()
              ? TelemetryActor.Close.INSTANCE
              : new TelemetryActor.Open(sampleInterval));
    }
    boolean news = wanted.revision() != order.followed();
    boolean starts = wanted.tasks().stream().anyMatch(task -> !tasks.has(task.attempt()));
    order.give(wanted);
    reconcile();
    contact.tellKeeper(order.attempts());
    if (news && starts && !otherSampling) {
      return after(reports::followed); // the first change of that task is reported at once
    }
    return news ? after(reports::report) : this;
  }

  private void reconcile() {
    if (ending.hasBegun()
        || !(keeperJoin.isJoined() || tasks.isKeeperMissing())
        || !order.isGiven()) {
      return;
    }
    tasks.follow(order.desired(), mayStart());
    if (coordinatorMembership.isWelcome()) {
      order.follow();
    }
  }

  private boolean mayStart() {
    return coordinatorMembership.isWelcome() && order.isCurrent();
  }

  private Behavior<NodeAgentCommand> onTaskExited(NodeAgentCommand.TaskExited event) {
    if (!keeperJoin.defers(event.task())) {
      tasks.exited(event.task());
    }
    return this;
  }

  /** Reports, or starts the next tasks in freed slots at once and reports later. */
  private Behavior<NodeAgentCommand> onNews() {
    if (reports.isDueNow()) {
      reconcile();
      reports.report();
    } else {
      if (!ending.hasBegun() && keeperJoin.isJoined() && mayStart()) {
        tasks.startDue();
      }
      reports.reportSoon();
    }
    return this;
  }

  private void onStop() {
    tasks.close();
    files.close();
  }

  private void onReportDue() {
    if (reports.hasUntold()) {
      reconcile();
      reports.report();
    }
  }

  private void onSampled(NodeSample sample) {
    tasks.sampled(sample);
    reports.sampled(sample);
  }

  private Behavior<NodeAgentCommand> onTick() {
    tasks.giveUp();
    tasks.look();
    reports.heartbeat();
    if (contact.isLost()) {
      return endWithoutContact();
    }
    if (order.isGiven()) {
      contact.tellKeeper(order.attempts());
    }
    return this;
  }

  private Behavior<NodeAgentCommand> endWithoutContact() {
    if (settings.launched()) {
      return ending.end(
          "no message from the coordinator before the contact deadline", Duration.ZERO);
    }
    if (coordinatorMembership.isLongUnreachable()) {
      files.findAccess();
    }
    order.dropTied();
    reconcile();
    return this;
  }
}
