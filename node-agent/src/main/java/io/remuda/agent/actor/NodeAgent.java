package io.remuda.agent.actor;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.contact.ContactDeadline;
import io.remuda.agent.gpu.DeviceTenants;
import io.remuda.agent.gpu.LeasedPrograms;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** Contact deadline until the coordinator sets one. */
  private static final Duration FIRST_WORD = Duration.ofSeconds(30);

  /**
   * The parts of this agent.
   *
   * @param devicesFrom source of the device list, or why there are no devices
   * @param labels labels by which jobs choose nodes
   * @param files does all file operations
   * @param refused runs when the coordinator refuses this agent
   */
  public record Parts(
      AgentSettings settings,
      Distribution distribution,
      TelemetrySampler sampler,
      HostInfo host,
      MachineFacts machine,
      String devicesFrom,
      Map<String, String> labels,
      FileWork files,
      LongSupplier nanoClock,
      Runnable refused) {}

  private final Parts parts;
  private final AgentSettings settings;
  private final CoordinatorMembership coordinatorMembership;
  private final ActorRef<KeeperPort.Command> keeper;
  private final ActorRef<TelemetryActor.Command> telemetry;
  private final ActorRef<OutputReader.Command> output;
  private final NodeAttempts tasks;
  private final ReportPace pace = new ReportPace();

  private final DesiredState order = new DesiredState();
  private ContactDeadline contactDeadline;
  private final KeeperJoin keeperJoin;

  private final StallReport stallReport;
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
            KeeperPort.create(settings, parts.distribution(), context.getSelf()),
            "keeper",
            KeeperPort.PROPS);
    LeasedPrograms leased = new LeasedPrograms();
    this.telemetry =
        context.spawn(
            TelemetryActor.create(
                parts.sampler(),
                new DeviceTenants(settings.keyPrefix(), leased),
                context.getSelf()),
            "telemetry",
            TelemetryActor.PROPS);
    this.output =
        context.spawn(
            OutputReader.create(settings, context.getSelf()), "output", OutputReader.PROPS);
    this.tasks =
        new NodeAttempts(
            context,
            parts,
            keeper,
            output,
            leased,
            () -> contactDeadline.remainingMillis(now()),
            devices -> telemetry.tell(new TelemetryActor.AwaitFreed(devices)),
            this::tellNews);
    this.contactDeadline = ContactDeadline.begin(FIRST_WORD, now());
    this.coordinatorMembership = new CoordinatorMembership(context, parts);
    this.keeperJoin = new KeeperJoin(settings, parts.files(), context.getSelf());
    this.stallReport = new StallReport(parts.files(), settings);
    this.ending =
        new NodeEnding(
            context, timers, settings, order, tasks, coordinatorMembership, keeper, telemetry);
    context.watch(keeper);
    context.watch(telemetry);
    if (!KeeperLaunch.isRunning(settings) && TaskFolder.open(settings).isEmpty()) {
      coordinatorMembership.dial(); // there is nothing to adopt or to kill first
    }
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
        .onMessage(NodeAgentCommand.Unended.class, this::onUnended)
        .onMessage(NodeAgentCommand.KeeperAway.class, this::onKeeperAway)
        .onMessage(NodeAgentCommand.KeeperSilent.class, this::onKeeperSilent)
        .onMessage(NodeAgentCommand.FilesRead.class, this::onFilesRead)
        .onMessage(NodeAgentCommand.Surveyed.class, this::onSurveyed)
        .onMessage(NodeAgentCommand.KeeperEnded.class, message -> Behaviors.stopped())
        .onMessage(NodeAgentCommand.LinkUp.class, message -> onLinkUp())
        .onMessage(NodeAgentCommand.LinkDown.class, message -> onLinkDown())
        .onMessage(NodeAgentCommand.FromCoordinator.class, this::onFromCoordinator)
        .onMessage(NodeAgentCommand.TaskAnswered.class, this::onTaskAnswered)
        .onMessage(NodeAgentCommand.TaskExited.class, this::onTaskExited)
        .onMessage(NodeAgentCommand.TaskChanged.class, this::onTaskChanged)
        .onMessage(NodeAgentCommand.TaskHappened.class, this::onTaskHappened)
        .onMessage(NodeAgentCommand.Sampled.class, this::onSampled)
        .onMessage(NodeAgentCommand.OutputRead.class, this::onOutputRead)
        .onMessage(NodeAgentCommand.Tick.class, message -> onTick())
        .onMessage(NodeAgentCommand.ContactLost.class, message -> onContactLost())
        .onMessage(NodeAgentCommand.Leave.class, this::onLeave)
        .onMessage(NodeAgentCommand.GiveUp.class, message -> Behaviors.stopped())
        .onMessage(NodeAgentCommand.News.class, message -> onNews())
        .onMessage(NodeAgentCommand.ReportDue.class, message -> onReportDue())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private long now() {
    return parts.nanoClock().getAsLong();
  }

  /** Reads the folders of the keeper's tasks first. */
  private Behavior<NodeAgentCommand> onKeeperReady(NodeAgentCommand.KeeperReady event) {
    stallReport.keeperSilent(0);
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

  private Behavior<NodeAgentCommand> onUnended(NodeAgentCommand.Unended event) {
    tasks.unended(event.reasons());
    return this;
  }

  /** Waits for the keeper; its tasks continue, and requests are repeated once it is joined. */
  private Behavior<NodeAgentCommand> onKeeperAway(NodeAgentCommand.KeeperAway event) {
    away();
    return this;
  }

  private void away() {
    keeperJoin.away();
    timers.cancel(NodeAgentCommand.Surveyed.class);
    tasks.keeperAway();
    stallReport.keeperSilent(0);
  }

  private Behavior<NodeAgentCommand> onKeeperSilent(NodeAgentCommand.KeeperSilent event) {
    stallReport.keeperSilent(event.millis());
    return this;
  }

  private Behavior<NodeAgentCommand> onFilesRead(NodeAgentCommand.FilesRead event) {
    event.then().run();
    return this;
  }

  private Behavior<NodeAgentCommand> onLinkUp() {
    coordinatorMembership.introduce(tasks.introduced());
    return this;
  }

  private Behavior<NodeAgentCommand> onLinkDown() {
    coordinatorMembership.disconnected();
    return this;
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
      output.tell(new OutputReader.Read(question));
    } else if (message instanceof CoordinatorMessage.GiveBack back) {
      tasks.giveBack(back);
    } else if (message instanceof CoordinatorMessage.EndForeign unwanted) {
      tasks.end(unwanted.attempt(), "ended by hand");
    } else if (message instanceof CoordinatorMessage.KillNow kill) {
      kill.attempts().forEach(tasks::killNow);
    } else if (message instanceof CoordinatorMessage.EndNode endNode) {
      return ending.end(endNode.reason(), Duration.ofMillis(endNode.graceMillis()));
    } else if (message instanceof CoordinatorMessage.Refused refused) {
      getContext().getLog().error("refused by the coordinator: {}", refused.reason());
      parts.refused().run();
      return ending.leave("refused: " + refused.reason());
    } else if (message instanceof CoordinatorMessage.NameTaken) {
      return onNameTaken();
    } else if (message instanceof CoordinatorMessage.NotLeader notLeader) {
      getContext().getLog().info("another coordinator leads: {}", notLeader.contact());
    }
    return this;
  }

  private Behavior<NodeAgentCommand> onNameTaken() {
    if (!coordinatorMembership.isNameTakenForGood()) {
      return this;
    }
    getContext()
        .getLog()
        .error("another node is named {}: start this one with another --name", settings.node());
    parts.refused().run();
    return ending.leave("its name is taken");
  }

  private Behavior<NodeAgentCommand> onWelcome(CoordinatorMessage.Welcome welcome) {
    coordinatorMembership.welcome();
    getContext().getLog().info("node {} has joined {}", settings.node(), settings.access());
    contactDeadline = ContactDeadline.begin(Duration.ofMillis(welcome.contactMillis()), now());
    sampleInterval = Duration.ofMillis(welcome.sampleMillis());
    order.lead(welcome.epoch(), welcome.lineage());
    tasks.lead(welcome.lineage());
    return this;
  }

  private Behavior<NodeAgentCommand> onDesired(CoordinatorMessage.Desired wanted) {
    if (!coordinatorMembership.isWelcome() || order.isStale(wanted)) {
      return this;
    }
    contactDeadline = contactDeadline.renew(now());
    timers.startSingleTimer(
        NodeAgentCommand.ContactLost.INSTANCE,
        Duration.ofMillis(contactDeadline.remainingMillis(now())));
    if (wanted.sampling() && !order.sampling()) {
      telemetry.tell(new TelemetryActor.Open(sampleInterval));
    } else if (!wanted.sampling() && order.sampling()) {
      telemetry.tell(TelemetryActor.Close.INSTANCE);
    }
    boolean news = wanted.revision() != order.followed();
    order.give(wanted);
    reconcile();
    renew();
    if (news) {
      report();
    }
    return this;
  }

  private void reconcile() {
    if (ending.hasBegun()
        || !(keeperJoin.isJoined() || tasks.isKeeperMissing())
        || !order.isGiven()) {
      return;
    }
    tasks.follow(order.desired(), coordinatorMembership.isWelcome());
    if (coordinatorMembership.isWelcome()) {
      order.follow();
    }
  }

  private Behavior<NodeAgentCommand> onTaskAnswered(NodeAgentCommand.TaskAnswered event) {
    tasks.answered(event.attempt(), event.answer());
    return this;
  }

  private Behavior<NodeAgentCommand> onTaskExited(NodeAgentCommand.TaskExited event) {
    if (!keeperJoin.defers(event.task())) {
      tasks.exited(event.task());
    }
    return this;
  }

  private Behavior<NodeAgentCommand> onTaskChanged(NodeAgentCommand.TaskChanged event) {
    tasks.changed(event.report());
    return this;
  }

  /** Coalesces all changes queued before {@link News} into one report. */
  private void tellNews() {
    if (pace.changed()) {
      getContext().getSelf().tell(NodeAgentCommand.News.INSTANCE);
    }
  }

  /** Reports, or starts the next tasks in freed slots at once and reports later. */
  private Behavior<NodeAgentCommand> onNews() {
    if (pace.isDueAtLook(tasks.waiting())) {
      reconcile();
      report();
    } else {
      if (!ending.hasBegun() && keeperJoin.isJoined() && coordinatorMembership.isWelcome()) {
        tasks.startDue();
      }
      if (!timers.isTimerActive(NodeAgentCommand.ReportDue.INSTANCE)) {
        timers.startSingleTimer(
            NodeAgentCommand.ReportDue.INSTANCE,
            NodeAgentCommand.ReportDue.INSTANCE,
            ReportPace.TOLD_WITHIN);
      }
    }
    return this;
  }

  private Behavior<NodeAgentCommand> onStop() {
    tasks.close();
    parts.files().close();
    return this;
  }

  private Behavior<NodeAgentCommand> onReportDue() {
    if (pace.hasUntold()) {
      reconcile();
      report();
    }
    return this;
  }

  private Behavior<NodeAgentCommand> onTaskHappened(NodeAgentCommand.TaskHappened event) {
    coordinatorMembership.send(
        new AgentMessage.TaskHappened(event.attempt(), event.sequence(), event.event()));
    return this;
  }

  private Behavior<NodeAgentCommand> onSampled(NodeAgentCommand.Sampled event) {
    tasks.sampled(event.sample());
    if (order.sampling()) {
      pace.sampled();
      coordinatorMembership.send(new AgentMessage.Telemetry(List.of(event.sample())));
    }
    return this;
  }

  private Behavior<NodeAgentCommand> onOutputRead(NodeAgentCommand.OutputRead event) {
    coordinatorMembership.send(event.answer());
    return this;
  }

  private Behavior<NodeAgentCommand> onTick() {
    stallReport.look().ifPresent(coordinatorMembership::send);
    tasks.giveUp();
    if (pace.isDueAtHeartbeat(tasks.held())) {
      report();
    }
    coordinatorMembership.reportDevices();
    if (!ending.hasBegun() && contactDeadline.expired(now())) {
      return endWithoutContact();
    }
    renew();
    return this;
  }

  /** Handles the contact deadline on time; the next tick could be a second late. */
  private Behavior<NodeAgentCommand> onContactLost() {
    return !ending.hasBegun() && contactDeadline.expired(now()) ? endWithoutContact() : this;
  }

  /** Passes the rest of the contact deadline to the keeper; does nothing before the first order. */
  private void renew() {
    if (order.isGiven() && !ending.hasBegun()) {
      ContactRenewals.of(order.attempts(), contactDeadline, settings.keyPrefix(), now())
          .forEach(keeper::tell);
    }
  }

  private Behavior<NodeAgentCommand> endWithoutContact() {
    if (settings.launched()) {
      return ending.end(
          "no message from the coordinator before the contact deadline", Duration.ZERO);
    }
    if (coordinatorMembership.isHopeless()) {
      getContext().getLog().error("giving up: no coordinator for {}", settings.timing().giveUp());
      parts.refused().run();
      return ending.leave("no coordinator");
    }
    order.dropTied();
    reconcile();
    return this;
  }

  private void report() {
    pace.reported();
    coordinatorMembership.send(
        new AgentMessage.Report(order.followed(), order.sampling(), tasks.reports()));
  }

  private Behavior<NodeAgentCommand> onLeave(NodeAgentCommand.Leave command) {
    coordinatorMembership.send(new AgentMessage.Signalled(command.reason()));
    return ending.leave(command.reason());
  }
}
