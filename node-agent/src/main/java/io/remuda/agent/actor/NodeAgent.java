package io.remuda.agent.actor;

import io.remuda.agent.attempt.KeeperSurvey;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.contact.ContactDeadline;
import io.remuda.agent.gpu.DeviceTenants;
import io.remuda.agent.gpu.LeasedPrograms;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.TelemetrySampler;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * The agent of one node. Keeps the running tasks equal to the desired state from the coordinator,
 * reports them every second and at each change, and ends tied tasks once the contact deadline has
 * passed. It dials only after it knows from the keeper what already runs.
 */
public final class NodeAgent extends AbstractBehavior<NodeAgent.Command> {

  /** Contact deadline until the coordinator sets one. */
  private static final Duration FIRST_WORD = Duration.ofSeconds(30);

  /** A command to the agent. */
  public sealed interface Command {}

  /** Ends the agent as SIGTERM does. */
  public record Leave(String reason) implements Command {}

  record FromCoordinator(CoordinatorMessage message) implements Command {}

  enum LinkUp implements Command {
    INSTANCE
  }

  enum LinkDown implements Command {
    INSTANCE
  }

  /**
   * A keeper was joined.
   *
   * @param connection number of the connection to it
   * @param tasks tasks that it has
   */
  record KeeperReady(long connection, List<TaskView> tasks) implements Command {}

  record KeeperLost(String cause) implements Command {}

  /** The keeper is gone and no other one could be started; the port tries again. */
  record KeeperMissing(String cause) implements Command {}

  /**
   * The tasks of lost keepers that cannot be killed; replaces the previous list.
   *
   * @param reasons reasons by task key; an empty key stands for any task
   */
  record Unended(Map<String, String> reasons) implements Command {}

  /** The connection to the keeper is lost, but the keeper and its tasks live. */
  record KeeperAway(String cause) implements Command {}

  /** The keeper lives and has not answered for this long; 0 once it answers again. */
  record KeeperSilent(long millis) implements Command {}

  /** File work is done; {@code then} runs next. */
  record FilesRead(Runnable then) implements Command {}

  /**
   * The contents of the folders of a joined keeper's tasks.
   *
   * @param number number of the survey
   * @param found empty if the folders could not be read
   */
  record Surveyed(long number, KeeperReady keeper, Optional<KeeperSurvey> found)
      implements Command {}

  enum KeeperEnded implements Command {
    INSTANCE
  }

  record TaskAnswered(AttemptId attempt, SpawnAnswer answer) implements Command {}

  record TaskExited(TaskView task) implements Command {}

  record TaskChanged(TaskReport report) implements Command {}

  record TaskHappened(AttemptId attempt, long sequence, WorkerEvent event) implements Command {}

  record Sampled(NodeSample sample) implements Command {}

  record OutputRead(AgentMessage.Output answer) implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  private enum ContactLost implements Command {
    INSTANCE
  }

  private enum GiveUp implements Command {
    INSTANCE
  }

  private enum News implements Command {
    INSTANCE
  }

  private enum ReportDue implements Command {
    INSTANCE
  }

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
  private boolean keeperReady;

  /** Number of the current survey; results of earlier ones are ignored. */
  private long survey;

  /** Exits that the keeper reported during the survey, for tasks that are not known yet. */
  private final List<TaskView> exitedMeanwhile = new ArrayList<>();

  private boolean surveying;

  private final StallReport stallReport;
  private boolean ending;
  private Duration sampleInterval = Duration.ofSeconds(1);
  private final TimerScheduler<Command> timers;

  private NodeAgent(ActorContext<Command> context, TimerScheduler<Command> timers, Parts parts) {
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
    this.stallReport = new StallReport(parts.files(), settings);
    context.watch(keeper);
    context.watch(telemetry);
    if (!KeeperLaunch.isRunning(settings) && TaskFolder.open(settings).isEmpty()) {
      coordinatorMembership.dial(); // there is nothing to adopt or to kill first
    }
    timers.startTimerWithFixedDelay(Tick.INSTANCE, settings.timing().report());
  }

  public static Behavior<Command> create(Parts parts) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new NodeAgent(context, timers, parts)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(KeeperReady.class, this::onKeeperReady)
        .onMessage(KeeperLost.class, this::onKeeperLost)
        .onMessage(KeeperMissing.class, this::onKeeperMissing)
        .onMessage(Unended.class, this::onUnended)
        .onMessage(KeeperAway.class, this::onKeeperAway)
        .onMessage(KeeperSilent.class, this::onKeeperSilent)
        .onMessage(FilesRead.class, this::onFilesRead)
        .onMessage(Surveyed.class, this::onSurveyed)
        .onMessage(KeeperEnded.class, message -> Behaviors.stopped())
        .onMessage(LinkUp.class, message -> onLinkUp())
        .onMessage(LinkDown.class, message -> onLinkDown())
        .onMessage(FromCoordinator.class, this::onFromCoordinator)
        .onMessage(TaskAnswered.class, this::onTaskAnswered)
        .onMessage(TaskExited.class, this::onTaskExited)
        .onMessage(TaskChanged.class, this::onTaskChanged)
        .onMessage(TaskHappened.class, this::onTaskHappened)
        .onMessage(Sampled.class, this::onSampled)
        .onMessage(OutputRead.class, this::onOutputRead)
        .onMessage(Tick.class, message -> onTick())
        .onMessage(ContactLost.class, message -> onContactLost())
        .onMessage(Leave.class, this::onLeave)
        .onMessage(GiveUp.class, message -> Behaviors.stopped())
        .onMessage(News.class, message -> onNews())
        .onMessage(ReportDue.class, message -> onReportDue())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private long now() {
    return parts.nanoClock().getAsLong();
  }

  /** Reads the folders of the keeper's tasks first. */
  private Behavior<Command> onKeeperReady(KeeperReady event) {
    long number = ++survey;
    ActorRef<Command> self = getContext().getSelf();
    surveying = true;
    stallReport.keeperSilent(0);
    parts
        .files()
        .<Optional<KeeperSurvey>>add(
            () -> Optional.of(KeeperSurvey.of(settings, event.tasks())),
            fault -> Optional.empty(),
            found -> self.tell(new Surveyed(number, event, found)));
    return this;
  }

  private Behavior<Command> onSurveyed(Surveyed event) {
    if (event.number() != survey) {
      return this; // that keeper is gone, or was joined again
    }
    if (event.found().isEmpty()) {
      getContext().getLog().error("the folders of tasks could not be read, trying again");
      timers.startSingleTimer(Surveyed.class, event.keeper(), settings.timing().report());
      return this;
    }
    surveying = false;
    keeperReady = true;
    tasks.adopt(event.keeper().connection(), event.found().get());
    exitedMeanwhile.forEach(tasks::exited);
    exitedMeanwhile.clear();
    coordinatorMembership.dial();
    reconcile();
    return this;
  }

  private Behavior<Command> onKeeperLost(KeeperLost event) {
    away();
    tasks.keeperLost(event.cause());
    return this;
  }

  /**
   * Refuses new tasks. An order exists only after a dial, and by then all earlier attempts are
   * known.
   */
  private Behavior<Command> onKeeperMissing(KeeperMissing event) {
    tasks.keeperMissing(event.cause());
    reconcile();
    return this;
  }

  private Behavior<Command> onUnended(Unended event) {
    tasks.unended(event.reasons());
    return this;
  }

  /** Waits for the keeper; its tasks continue, and requests are repeated once it is joined. */
  private Behavior<Command> onKeeperAway(KeeperAway event) {
    away();
    return this;
  }

  private void away() {
    survey++;
    surveying = false;
    keeperReady = false;
    exitedMeanwhile.clear();
    timers.cancel(Surveyed.class);
    tasks.keeperAway();
    stallReport.keeperSilent(0);
  }

  private Behavior<Command> onKeeperSilent(KeeperSilent event) {
    stallReport.keeperSilent(event.millis());
    return this;
  }

  private Behavior<Command> onFilesRead(FilesRead event) {
    event.then().run();
    return this;
  }

  private Behavior<Command> onLinkUp() {
    coordinatorMembership.introduce(tasks.introduced());
    return this;
  }

  private Behavior<Command> onLinkDown() {
    coordinatorMembership.disconnected();
    return this;
  }

  private Behavior<Command> onFromCoordinator(FromCoordinator event) {
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
      return end(endNode.reason(), Duration.ofMillis(endNode.graceMillis()));
    } else if (message instanceof CoordinatorMessage.Refused refused) {
      getContext().getLog().error("refused by the coordinator: {}", refused.reason());
      parts.refused().run();
      return leave("refused: " + refused.reason());
    } else if (message instanceof CoordinatorMessage.NameTaken) {
      return onNameTaken();
    } else if (message instanceof CoordinatorMessage.NotLeader notLeader) {
      getContext().getLog().info("another coordinator leads: {}", notLeader.contact());
    }
    return this;
  }

  private Behavior<Command> onNameTaken() {
    if (!coordinatorMembership.isNameTakenForGood()) {
      return this;
    }
    getContext()
        .getLog()
        .error("another node is named {}: start this one with another --name", settings.node());
    parts.refused().run();
    return leave("its name is taken");
  }

  private Behavior<Command> onWelcome(CoordinatorMessage.Welcome welcome) {
    coordinatorMembership.welcome();
    getContext().getLog().info("node {} has joined {}", settings.node(), settings.access());
    contactDeadline = ContactDeadline.begin(Duration.ofMillis(welcome.contactMillis()), now());
    sampleInterval = Duration.ofMillis(welcome.sampleMillis());
    order.lead(welcome.epoch(), welcome.lineage());
    tasks.lead(welcome.lineage());
    return this;
  }

  private Behavior<Command> onDesired(CoordinatorMessage.Desired wanted) {
    if (!coordinatorMembership.isWelcome() || order.isStale(wanted)) {
      return this;
    }
    contactDeadline = contactDeadline.renew(now());
    timers.startSingleTimer(
        ContactLost.INSTANCE, Duration.ofMillis(contactDeadline.remainingMillis(now())));
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
    if (ending || !(keeperReady || tasks.isKeeperMissing()) || !order.isGiven()) {
      return;
    }
    tasks.follow(order.desired(), coordinatorMembership.isWelcome());
    if (coordinatorMembership.isWelcome()) {
      order.follow();
    }
  }

  private Behavior<Command> onTaskAnswered(TaskAnswered event) {
    tasks.answered(event.attempt(), event.answer());
    return this;
  }

  private Behavior<Command> onTaskExited(TaskExited event) {
    if (surveying) {
      exitedMeanwhile.add(event.task());
    } else {
      tasks.exited(event.task());
    }
    return this;
  }

  private Behavior<Command> onTaskChanged(TaskChanged event) {
    tasks.changed(event.report());
    return this;
  }

  /** Coalesces all changes queued before {@link News} into one report. */
  private void tellNews() {
    if (pace.changed()) {
      getContext().getSelf().tell(News.INSTANCE);
    }
  }

  /** Reports, or starts the next tasks in freed slots at once and reports later. */
  private Behavior<Command> onNews() {
    if (pace.isDueAtLook(tasks.waiting())) {
      reconcile();
      report();
    } else {
      if (!ending && keeperReady && coordinatorMembership.isWelcome()) {
        tasks.startDue();
      }
      if (!timers.isTimerActive(ReportDue.INSTANCE)) {
        timers.startSingleTimer(ReportDue.INSTANCE, ReportDue.INSTANCE, ReportPace.TOLD_WITHIN);
      }
    }
    return this;
  }

  private Behavior<Command> onStop() {
    tasks.close();
    parts.files().close();
    return this;
  }

  private Behavior<Command> onReportDue() {
    if (pace.hasUntold()) {
      reconcile();
      report();
    }
    return this;
  }

  private Behavior<Command> onTaskHappened(TaskHappened event) {
    coordinatorMembership.send(
        new AgentMessage.TaskHappened(event.attempt(), event.sequence(), event.event()));
    return this;
  }

  private Behavior<Command> onSampled(Sampled event) {
    tasks.sampled(event.sample());
    if (order.sampling()) {
      pace.sampled();
      coordinatorMembership.send(new AgentMessage.Telemetry(List.of(event.sample())));
    }
    return this;
  }

  private Behavior<Command> onOutputRead(OutputRead event) {
    coordinatorMembership.send(event.answer());
    return this;
  }

  private Behavior<Command> onTick() {
    stallReport.look().ifPresent(coordinatorMembership::send);
    tasks.giveUp();
    if (pace.isDueAtHeartbeat(tasks.held())) {
      report();
    }
    coordinatorMembership.reportDevices();
    if (!ending && contactDeadline.expired(now())) {
      return endWithoutContact();
    }
    renew();
    return this;
  }

  /** Handles the contact deadline on time; the next tick could be a second late. */
  private Behavior<Command> onContactLost() {
    return !ending && contactDeadline.expired(now()) ? endWithoutContact() : this;
  }

  /** Passes the rest of the contact deadline to the keeper; does nothing before the first order. */
  private void renew() {
    if (order.isGiven() && !ending) {
      ContactRenewals.of(order.attempts(), contactDeadline, settings.keyPrefix(), now())
          .forEach(keeper::tell);
    }
  }

  private Behavior<Command> endWithoutContact() {
    if (settings.launched()) {
      return end("no message from the coordinator before the contact deadline", Duration.ZERO);
    }
    if (coordinatorMembership.isHopeless()) {
      getContext().getLog().error("giving up: no coordinator for {}", settings.timing().giveUp());
      parts.refused().run();
      return leave("no coordinator");
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

  private Behavior<Command> onLeave(Leave command) {
    coordinatorMembership.send(new AgentMessage.Signalled(command.reason()));
    return leave(command.reason());
  }

  /**
   * Leaves the tasks to the keeper if one may belong to a job that outlives agents; else ends all.
   */
  private Behavior<Command> leave(String reason) {
    return !ending && order.mayOutliveCoordinator() && !settings.launched()
        ? depart(reason)
        : end(reason, settings.timing().grace());
  }

  private Behavior<Command> end(String reason, Duration grace) {
    if (ending) {
      return this;
    }
    getContext().getLog().info("ending: {}", reason);
    ending = true;
    coordinatorMembership.send(new AgentMessage.Leaving(reason));
    telemetry.tell(TelemetryActor.Close.INSTANCE);
    if (!settings.launched() && tasks.hasForeign()) {
      tasks.endOwn(reason); // the keeper stays for the others
    } else {
      keeper.tell(new KeeperPort.Shutdown(grace.toMillis()));
    }
    timers.startSingleTimer(GiveUp.INSTANCE, grace.plusMillis(1500));
    return this;
  }

  /**
   * Ends the agent and leaves the keeper with its tasks; the next agent of this folder adopts them.
   */
  private Behavior<Command> depart(String reason) {
    getContext().getLog().info("leaving, tasks continue: {}", reason);
    ending = true;
    order.attempts().stream()
        .filter(CoordinatorMessage.Kept::tied)
        .forEach(task -> tasks.end(task.attempt(), reason));
    coordinatorMembership.send(new AgentMessage.Leaving(reason));
    timers.startSingleTimer(GiveUp.INSTANCE, Duration.ofMillis(200));
    return this;
  }
}
