package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.RetryPolicy;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.status.RunStatus;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The cluster's one decider: it tells every node what should run there, learns what does, and
 * schedules what waits. The rules are in {@code registry}, {@code lifecycle} and {@code schedule};
 * this actor carries messages, timers and effects.
 */
public final class Coordinator extends AbstractBehavior<Coordinator.Command> {

  /** What the coordinator is told. */
  public sealed interface Command {}

  /** Run this job. */
  public record Submit(JobSpec job) implements Command {}

  /** End this job. */
  public record Cancel(JobId job) implements Command {}

  /** Let the rest of this job's tasks run without the devices that it asked for. */
  public record WithoutGpus(JobId job) implements Command {}

  /** Have all nodes send telemetry from now on. */
  public enum StartTelemetry implements Command {
    INSTANCE
  }

  /** Have all nodes send a last sample and no more. */
  public enum StopTelemetry implements Command {
    INSTANCE
  }

  /** Have every node end all it runs, and itself. */
  public record EndNodes(String reason, Duration grace) implements Command {}

  /** The answer to a worker that wants items. */
  public record Answer(AttemptId attempt, ToWorker message) implements Command {}

  /** Tells {@code follower} all that happens from now on. */
  public record Follow(ActorRef<ClusterEvent> follower) implements Command {}

  record AgentJoined(AgentMessage.Hello hello, ActorRef<AgentSession.Command> session)
      implements Command {}

  record AgentSaid(String node, ActorRef<AgentSession.Command> session, AgentMessage message)
      implements Command {}

  record AgentGone(String node, ActorRef<AgentSession.Command> session, String cause)
      implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  /**
   * What a coordinator works with.
   *
   * @param run its name
   * @param epoch of its leadership, from 1
   * @param lease how long tied tasks may run without hearing from it
   * @param tick period of orders and of looking at the clock
   * @param sample telemetry period
   */
  public record Settings(
      String run, long epoch, Duration lease, Duration tick, Duration sample, RetryPolicy retry) {}

  /** A connected node. */
  private static final class Link {
    private final ActorRef<AgentSession.Command> session;
    private final String boot;
    private List<TaskOrder> sent = List.of();
    private boolean sampling;
    private long samplingSince;
    private boolean telemetryClosed;

    private Link(ActorRef<AgentSession.Command> session, String boot) {
      this.session = session;
      this.boot = boot;
    }
  }

  private final Settings settings;
  private final LongSupplier nanoClock;
  private final ActorRef<PostProcessor.Command> postProcessor;
  private final ActorRef<EventLog.Command> eventLog;
  private final ActorRef<RunStatus> status;
  private final NodeRegistry nodes = new NodeRegistry();
  private final Map<String, NodeSample> newest = new HashMap<>();
  private final TaskRegistry tasks;
  private final Map<String, Link> links = new HashMap<>();
  private final Map<String, Long> revisions = new HashMap<>();
  private final Map<AttemptId, ToWorker> grants = new HashMap<>();
  private ActorRef<ClusterEvent> follower;
  private boolean sampling;
  private boolean telemetryEnding;
  private CoordinatorMessage.EndNode ending;

  private Coordinator(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Settings settings,
      LongSupplier nanoClock,
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<EventLog.Command> eventLog,
      ActorRef<RunStatus> status) {
    super(context);
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.postProcessor = postProcessor;
    this.eventLog = eventLog;
    this.status = status;
    this.tasks = new TaskRegistry(settings.retry());
    this.follower = context.getSystem().ignoreRef();
    timers.startTimerWithFixedDelay(Tick.INSTANCE, settings.tick());
  }

  /**
   * The behaviour of the one that decides.
   *
   * @param nanoClock monotonic
   * @param postProcessor gets all samples
   * @param eventLog is told what happens
   * @param status is told with each tick how everything is
   */
  public static Behavior<Command> create(
      Settings settings,
      LongSupplier nanoClock,
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<EventLog.Command> eventLog,
      ActorRef<RunStatus> status) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new Coordinator(
                        context, timers, settings, nanoClock, postProcessor, eventLog, status)));
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
        .onMessage(AgentJoined.class, this::onAgentJoined)
        .onMessage(AgentSaid.class, this::onAgentSaid)
        .onMessage(AgentGone.class, this::onAgentGone)
        .onMessage(Tick.class, message -> onTick())
        .build();
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private Behavior<Command> onFollow(Follow command) {
    follower = command.follower();
    follower.tell(new ClusterEvent.Leading(getContext().getSelf()));
    return this;
  }

  private Behavior<Command> onSubmit(Submit command) {
    tasks.submit(command.job(), now());
    return cycle();
  }

  private Behavior<Command> onCancel(Cancel command) {
    publish(tasks.cancel(command.job()));
    return cycle();
  }

  private Behavior<Command> onWithoutGpus(WithoutGpus command) {
    tasks.withoutGpus(command.job());
    return cycle();
  }

  private Behavior<Command> onSampling(boolean on) {
    sampling = on;
    telemetryEnding = !on;
    links.values().forEach(link -> link.telemetryClosed = false);
    links.keySet().forEach(this::order);
    return this;
  }

  private Behavior<Command> onEndNodes(EndNodes command) {
    ending = new CoordinatorMessage.EndNode(command.reason(), command.grace().toMillis());
    links.values().forEach(link -> link.session.tell(new AgentSession.Send(ending)));
    return this;
  }

  private Behavior<Command> onAnswer(Answer command) {
    if (tasks.isPlaced(command.attempt())) {
      grants.put(command.attempt(), command.message());
    }
    sendToTask(command.attempt(), command.message());
    return this;
  }

  private Behavior<Command> onAgentJoined(AgentJoined event) {
    AgentMessage.Hello hello = event.hello();
    Link before = links.get(hello.node());
    if (before != null && !before.boot.equals(hello.boot())) {
      event.session().tell(new AgentSession.Send(new CoordinatorMessage.NameTaken(hello.node())));
      event.session().tell(AgentSession.Close.INSTANCE);
      follower.tell(new ClusterEvent.NameTaken(hello.node()));
      return this;
    }
    if (before != null) {
      before.session.tell(AgentSession.Close.INSTANCE);
    }
    boolean again = nodes.find(hello.node()).isPresent();
    nodes.joined(hello.node(), hello.host(), hello.devices(), hello.devicesFrom());
    links.put(hello.node(), new Link(event.session(), hello.boot()));
    event
        .session()
        .tell(
            new AgentSession.Send(
                new CoordinatorMessage.Welcome(
                    settings.epoch(), settings.lease().toMillis(), settings.sample().toMillis())));
    nodes
        .find(hello.node())
        .ifPresent(node -> follower.tell(new ClusterEvent.NodeJoined(node, again)));
    eventLog.tell(new EventLog.NodeEvent(hello.node(), again ? "joined-again" : "joined", null));
    publish(tasks.joined(hello.node(), hello.tasks(), now()));
    if (ending != null) {
      event.session().tell(new AgentSession.Send(ending));
    }
    order(hello.node());
    return cycle();
  }

  private Behavior<Command> onAgentSaid(AgentSaid event) {
    Link link = links.get(event.node());
    if (link == null || !link.session.equals(event.session())) {
      return this; // a session that was replaced
    }
    if (event.message() instanceof AgentMessage.Report report) {
      return onReport(event.node(), link, report);
    } else if (event.message() instanceof AgentMessage.Telemetry telemetry) {
      telemetry.samples().forEach(nodes::sampled);
      telemetry.samples().forEach(sample -> newest.put(sample.node(), sample));
      postProcessor.tell(new PostProcessor.Samples(telemetry.samples()));
    } else if (event.message() instanceof AgentMessage.Devices devices) {
      nodes.devices(event.node(), devices.devices());
      return cycle();
    } else if (event.message() instanceof AgentMessage.TaskHappened happened) {
      onTaskHappened(happened);
    } else if (event.message() instanceof AgentMessage.Signalled) {
      follower.tell(new ClusterEvent.NodeSignalled(event.node()));
    } else if (event.message() instanceof AgentMessage.Leaving leaving) {
      getContext().getLog().info("{} leaves: {}", event.node(), leaving.reason());
    }
    return this;
  }

  private Behavior<Command> onReport(String node, Link link, AgentMessage.Report report) {
    boolean followed = report.revision() >= link.samplingSince;
    if (telemetryEnding && followed && !report.sampling() && !link.telemetryClosed) {
      link.telemetryClosed = true;
      follower.tell(new ClusterEvent.TelemetryClosed(node));
    }
    List<TaskChange> changes = tasks.reported(node, report.tasks(), report.revision(), now());
    publish(changes);
    tellProgress(report.tasks());
    return changes.isEmpty() ? this : cycle();
  }

  private void tellProgress(List<TaskReport> reports) {
    Map<AttemptId, TaskReport.TaskProgress> progress =
        reports.stream()
            .filter(report -> report.progress() != null && tasks.isPlaced(report.attempt()))
            .collect(Collectors.toMap(TaskReport::attempt, TaskReport::progress));
    if (!progress.isEmpty()) {
      follower.tell(new ClusterEvent.Progressed(progress));
    }
  }

  private void onTaskHappened(AgentMessage.TaskHappened happened) {
    AttemptId attempt = happened.attempt();
    switch (tasks.heard(attempt, happened.sequence(), happened.event())) {
      case NEW -> {
        if (happened.event() instanceof WorkerEvent.ItemsWanted) {
          grants.remove(attempt);
        }
        acknowledge(attempt, happened.sequence());
        follower.tell(new ClusterEvent.WorkerTold(attempt, happened.sequence(), happened.event()));
      }
      case REPEATED -> acknowledge(attempt, happened.sequence());
      case DROPPED -> getContext().getLog().debug("dropped {} of {}", happened, attempt);
    }
  }

  private void acknowledge(AttemptId attempt, long sequence) {
    sendToTask(attempt, new ToWorker.Acknowledged(sequence));
  }

  private void sendToTask(AttemptId attempt, ToWorker message) {
    tasks
        .find(attempt.task())
        .filter(task -> task.place() != null && task.attempt() == attempt.attempt())
        .map(task -> links.get(task.place().node()))
        .ifPresent(
            link ->
                link.session.tell(
                    new AgentSession.Send(new CoordinatorMessage.ToTask(attempt, message))));
  }

  private Behavior<Command> onAgentGone(AgentGone event) {
    Link link = links.get(event.node());
    if (link == null || !link.session.equals(event.session())) {
      return this;
    }
    links.remove(event.node());
    nodes.silent(event.node());
    eventLog.tell(new EventLog.NodeEvent(event.node(), "silent", event.cause()));
    follower.tell(new ClusterEvent.NodeSilent(event.node(), event.cause()));
    publish(tasks.silent(event.node(), now()));
    return cycle();
  }

  private Behavior<Command> onTick() {
    publish(tasks.tick(now()));
    cycle();
    links.keySet().forEach(this::order);
    grants.forEach(this::sendToTask);
    status.tell(statusNow());
    if (!tasks.waiting().isEmpty()) {
      follower.tell(new ClusterEvent.Waiting(tasks.waiting(), nodes.anyDeviceAnswers()));
    }
    return this;
  }

  private RunStatus statusNow() {
    Map<String, String> lent = new HashMap<>();
    tasks
        .holders()
        .forEach((device, attempt) -> lent.put(device.uuid(), attempt.task().toString()));
    return new RunStatus(
        settings.run(),
        nodes.all().stream()
            .map(
                node ->
                    RunStatus.node(
                        node.name(),
                        node.reachable(),
                        node.devices(),
                        newest.get(node.name()),
                        lent))
            .toList());
  }

  /** Places what waits and tells the nodes whose orders changed. */
  private Behavior<Command> cycle() {
    if (ending == null) {
      publish(tasks.schedule(nodes.all(), this::nextRevision, now()));
    }
    links.keySet().stream().filter(this::hasNews).toList().forEach(this::order);
    return this;
  }

  private long nextRevision(String node) {
    return revisions.getOrDefault(node, 0L) + 1;
  }

  private boolean hasNews(String node) {
    return !links.get(node).sent.equals(tasks.orders(node));
  }

  /** Says again, or anew, all that should run on a node; this renews its lease. */
  private void order(String node) {
    Link link = links.get(node);
    List<TaskOrder> orders = tasks.orders(node);
    if (!orders.equals(link.sent) || link.sampling != sampling) {
      long revision = revisions.merge(node, 1L, Long::sum);
      link.samplingSince = link.sampling == sampling ? link.samplingSince : revision;
      link.sampling = sampling;
      link.sent = orders;
    }
    link.session.tell(
        new AgentSession.Send(
            new CoordinatorMessage.Desired(
                settings.epoch(), revisions.getOrDefault(node, 0L), sampling, orders)));
  }

  private void publish(List<TaskChange> changes) {
    for (TaskChange change : changes) {
      if (!change.to().holdsPlace()) {
        grants.remove(change.attempt());
      }
      eventLog.tell(new EventLog.TaskEvent(change));
      follower.tell(new ClusterEvent.TaskMoved(change));
    }
  }
}
