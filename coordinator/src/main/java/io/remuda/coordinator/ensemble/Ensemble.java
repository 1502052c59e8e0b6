package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.actor.ClusterEvent;
import io.remuda.coordinator.actor.CoordinatorCommand;
import io.remuda.coordinator.actor.NewJob;
import io.remuda.coordinator.actor.PostProcessor;
import io.remuda.coordinator.actor.Reply;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.schedule.NodeNames;
import io.remuda.worker.job.JobId;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Controls one run: waits for the nodes, starts telemetry and the two pools, hands out images,
 * collects results, and ends everything in order: pools, telemetry, post-processor, nodes.
 */
public final class Ensemble extends AbstractBehavior<Ensemble.Command> {

  private static final Duration TELEMETRY_DRAIN = Duration.ofSeconds(5);
  private static final int FAILED = 1;
  private static final Duration IMAGE_NOTES = Duration.ofSeconds(5);

  /** A message to the run. */
  public sealed interface Command {}

  /** Ends the run early; {@code exitCode} becomes its exit code. */
  public record Interrupt(String reason, int exitCode) implements Command {}

  /**
   * The place of the training data.
   *
   * @param verify whether it must be the genuine MNIST
   */
  public record Data(Path folder, boolean verify) {}

  /** The training data is ready; without a place each node looks in its own cache. */
  public record DataReady(Optional<Data> data) implements Command {}

  /** There is no training data. */
  public record NoData(String cause) implements Command {}

  /** An event of the cluster. */
  public record Happened(ClusterEvent event) implements Command {}

  /** An agent that this run starts was given up. */
  public record NodeGivenUp(String node, String cause) implements Command {}

  private record Submitted(Reply<List<JobId>> answer) implements Command {}

  private record Drained(PostProcessor.Finished event) implements Command {}

  private record NodesEnded(RunAgents.Ended event) implements Command {}

  private enum NodesLate implements Command {
    INSTANCE
  }

  private enum EndLate implements Command {
    INSTANCE
  }

  private enum TelemetryLate implements Command {
    INSTANCE
  }

  private enum NoteImages implements Command {
    INSTANCE
  }

  /** The outcome of the run. */
  public record Outcome(int exitCode) {}

  /** The actors and settings that a run uses. */
  public record Parts(
      EnsembleSettings settings,
      String run,
      String user,
      boolean json,
      Duration nodesDeadline,
      Duration grace,
      Duration endDeadline,
      Duration forceDeadline,
      ActorRef<CoordinatorCommand> coordinator,
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<RunAgents.Command> agents,
      Console console,
      LongSupplier nanoClock,
      ActorRef<Outcome> replyTo) {}

  private enum Phase {
    GATHERING,
    RUNNING,
    DRAINING,
    ENDING
  }

  private final Parts parts;
  private final EnsembleSettings settings;
  private final TimerScheduler<Command> timers;
  private final long startedAt;
  private final RunProgress runProgress;
  private final WaitNotices waitNotices;
  private final Map<String, NodeRegistry.Node> nodes = new TreeMap<>(NodeNames.ORDER);
  private final Set<String> silent = new HashSet<>();

  /** Pools whose submission has not been answered yet; answers come in the same order. */
  private final Queue<NewJob> submitted = new ArrayDeque<>();

  private final ActorRef<Reply<List<JobId>>> submissions;

  /** Of the silent nodes, those whose agents are not started again. */
  private final Set<String> givenUp = new HashSet<>();

  private final Set<String> namesTaken = new HashSet<>();
  private final Set<String> monitored = new TreeSet<>(NodeNames.ORDER);
  private Phase phase = Phase.GATHERING;
  private Optional<DataReady> data = Optional.empty();
  private boolean trainingSubmitted;
  private boolean localEnded;
  private int notedImages;
  private int exitCode;
  private String endReason = "the run is over";

  private Ensemble(ActorContext<Command> context, TimerScheduler<Command> timers, Parts parts) {
    super(context);
    this.parts = parts;
    this.settings = parts.settings();
    this.timers = timers;
    this.startedAt = parts.nanoClock().getAsLong();
    this.waitNotices = new WaitNotices(startedAt);
    this.runProgress = new RunProgress(settings);
    this.submissions = context.messageAdapter(submission(), Submitted::new);
    if (settings.joiningNodes() == 0) { // nodes that users start have no deadline
      timers.startSingleTimer(NodesLate.INSTANCE, parts.nodesDeadline());
    }
    parts
        .coordinator()
        .tell(
            new CoordinatorCommand.Follow(
                context.messageAdapter(ClusterEvent.class, Happened::new)));
  }

  public static Behavior<Command> create(Parts parts) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new Ensemble(context, timers, parts)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Happened.class, this::onHappened)
        .onMessage(DataReady.class, this::onDataReady)
        .onMessage(NoData.class, this::onNoData)
        .onMessage(NodeGivenUp.class, this::onNodeGivenUp)
        .onMessage(NodesLate.class, message -> onNodesLate())
        .onMessage(NoteImages.class, message -> onNoteImages())
        .onMessage(Interrupt.class, this::onInterrupt)
        .onMessage(Submitted.class, this::onSubmitted)
        .onMessage(TelemetryLate.class, message -> finishTelemetry())
        .onMessage(Drained.class, this::onDrained)
        .onMessage(NodesEnded.class, message -> onLocalEnded())
        .onMessage(EndLate.class, message -> finish())
        .build();
  }

  private Behavior<Command> onHappened(Happened message) {
    ClusterEvent event = message.event();
    if (event instanceof ClusterEvent.Leading leading) {
      getContext()
          .watchWith(leading.coordinator(), new Interrupt("the coordinator actor failed", FAILED));
    } else if (event instanceof ClusterEvent.NodeJoined joined) {
      return onNodeJoined(joined);
    } else if (event instanceof ClusterEvent.NodeSilent gone) {
      return onNodeSilent(gone);
    } else if (event instanceof ClusterEvent.NameTaken taken) {
      onNameTaken(taken.node());
    } else if (event instanceof ClusterEvent.NodeSignalled signalled) {
      parts.agents().tell(new RunAgents.Signalled(signalled.node()));
    } else if (event instanceof ClusterEvent.TelemetryClosed closed) {
      return onTelemetryClosed(closed.node());
    } else if (event instanceof ClusterEvent.TaskMoved moved) {
      return onTaskMoved(moved.change());
    } else if (event instanceof ClusterEvent.Waiting waiting) {
      onWaiting(waiting);
    } else if (event instanceof ClusterEvent.WorkerTold told) {
      onWorkerTold(told);
    } else if (event instanceof ClusterEvent.Progressed progressed) {
      runProgress.progressed(progressed.tasks());
      showProgress();
    }
    return this;
  }

  private Behavior<Command> onNodeJoined(ClusterEvent.NodeJoined event) {
    String name = event.node().name();
    boolean known = nodes.put(name, event.node()) != null;
    silent.remove(name);
    givenUp.remove(name);
    parts.agents().tell(new RunAgents.Heard(name));
    boolean late = phase == Phase.DRAINING || phase == Phase.ENDING;
    if (!late && monitored.add(name)) {
      parts.console().line("This is a telemetry process on node " + name + ".");
    } else if (known) {
      parts.console().note("node " + name + " is back");
    }
    if (phase == Phase.GATHERING) {
      gather(name);
    }
    return this;
  }

  /** Begins once all nodes are connected at one time, since work is distributed over them. */
  private void gather(String joined) {
    int there = nodes.size() - silent.size();
    if (settings.joiningNodes() > 0) {
      parts.console().note("node " + joined + " joined: " + there + " of " + settings.allNodes());
    }
    if (there >= settings.allNodes()) {
      begin();
    }
  }

  private void onNameTaken(String node) {
    if (namesTaken.add(node)) {
      parts
          .console()
          .note("a second agent has the name " + node + ": start it with another --name");
    }
  }

  private void begin() {
    phase = Phase.RUNNING;
    timers.cancel(NodesLate.INSTANCE);
    parts.coordinator().tell(CoordinatorCommand.StartTelemetry.INSTANCE);
    parts.console().line("Launching scipy and mnist jobs");
    submitTraining(); // first, if its data is ready: its tasks are few and take GPUs
    submit(EnsembleJobs.scipy(settings, parts.user()));
    timers.startTimerWithFixedDelay(NoteImages.INSTANCE, IMAGE_NOTES);
  }

  private void submit(NewJob pool) {
    submitted.add(pool);
    parts.coordinator().tell(new CoordinatorCommand.SubmitJobs(List.of(pool), submissions));
  }

  private Behavior<Command> onSubmitted(Submitted message) {
    NewJob pool = submitted.remove();
    if (message.answer() instanceof Reply.No<List<JobId>> refused) {
      parts.console().note("remuda: " + pool.name() + ": " + refused.rejection().message());
      return interrupt("a pool was refused", FAILED);
    }
    JobId job = ((Reply.Yes<List<JobId>>) message.answer()).value().get(0);
    runProgress.submitted(pool, job);
    return this;
  }

  @SuppressWarnings("unchecked") // a class literal has no type argument
  private static Class<Reply<List<JobId>>> submission() {
    return (Class<Reply<List<JobId>>>) (Class<?>) Reply.class;
  }

  private Behavior<Command> onDataReady(DataReady event) {
    data = Optional.of(event);
    if (phase == Phase.RUNNING) {
      submitTraining();
    }
    return this;
  }

  private void submitTraining() {
    if (trainingSubmitted || data.isEmpty()) {
      return;
    }
    trainingSubmitted = true;
    EnsembleJobs.Training training = EnsembleJobs.training(settings, nodes.values());
    training.note().ifPresent(parts.console()::note);
    submit(EnsembleJobs.mnist(settings, parts.user(), training, data.get().data()));
  }

  private Behavior<Command> onNoData(NoData event) {
    parts.console().note("remuda: " + event.cause());
    return interrupt("no training data", FAILED);
  }

  private Behavior<Command> onNodeSilent(ClusterEvent.NodeSilent event) {
    silent.add(event.node());
    if (phase == Phase.GATHERING || phase == Phase.RUNNING) {
      parts
          .console()
          .note("node " + event.node() + " is silent (" + event.cause() + "); waiting for it");
      parts.agents().tell(new RunAgents.Silent(event.node()));
    }
    return switch (phase) {
      case DRAINING -> onTelemetryClosed(event.node());
      case ENDING -> finishIfAllEnded();
      case GATHERING, RUNNING -> this;
    };
  }

  private void onWaiting(ClusterEvent.Waiting all) {
    Optional<JobId> trainings = runProgress.trainings();
    if (phase != Phase.RUNNING || trainings.isEmpty()) {
      return;
    }
    ClusterEvent.Waiting event = all.of(trainings.get());
    boolean allHeard = givenUp.containsAll(silent); // no silent node can come back
    Optional<String> impossible = waitNotices.impossible(event);
    if (impossible.isPresent() && allHeard) {
      parts.console().note("remuda: " + impossible.get());
      interrupt("a training fits on no node", FAILED);
      return;
    }
    waitNotices.memoryNote(event).ifPresent(parts.console()::note);
    waitNotices.gpuNote(event).ifPresent(parts.console()::note);
    if (waitNotices.areHopeless(event, allHeard, parts.nanoClock().getAsLong())) {
      parts.console().note("no GPU answers any more: trainings that wait run on the CPU");
      parts.coordinator().tell(new CoordinatorCommand.WithoutGpus(trainings.get()));
    }
  }

  private Behavior<Command> onNodeGivenUp(NodeGivenUp event) {
    parts.console().note("remuda: node " + event.node() + " cannot stay up: " + event.cause());
    givenUp.add(event.node());
    boolean othersRun =
        phase == Phase.RUNNING
            && nodes.keySet().stream()
                .anyMatch(node -> !node.equals(event.node()) && !silent.contains(node));
    boolean workDone = phase == Phase.DRAINING;
    return othersRun || workDone ? this : interrupt("a node cannot stay up", FAILED);
  }

  private Behavior<Command> onNodesLate() {
    parts
        .console()
        .note(
            "remuda: "
                + nodes.size()
                + " of "
                + settings.allNodes()
                + " nodes joined within "
                + parts.nodesDeadline().toSeconds()
                + " s; see their agent.log");
    return interrupt("nodes are missing", FAILED);
  }

  private void onWorkerTold(ClusterEvent.WorkerTold told) {
    if (told.event() instanceof WorkerEvent.ItemsWanted) {
      ToWorker answer = runProgress.grant(told.attempt(), told.sequence());
      parts.coordinator().tell(new CoordinatorCommand.Answer(told.attempt(), answer));
    } else {
      runProgress.told(told.attempt(), told.event()).ifPresent(parts.console()::note);
      showProgress();
    }
  }

  private Behavior<Command> onTaskMoved(TaskChange change) {
    if (phase == Phase.RUNNING) {
      runProgress.moved(change).ifPresent(parts.console()::note);
      showProgress();
    }
    return phase == Phase.RUNNING && runProgress.isDone() ? drain() : this;
  }

  private void showProgress() {
    if (parts.console().showsBars()) {
      parts.console().progress(runProgress.progress());
    }
  }

  private Behavior<Command> onNoteImages() {
    if (runProgress.imagesDone() != notedImages && !parts.console().showsBars()) {
      notedImages = runProgress.imagesDone();
      parts.console().note("images: " + notedImages + "/" + runProgress.images());
    }
    return this;
  }

  /** Requests the last telemetry after the pools have finished, and waits for it. */
  private Behavior<Command> drain() {
    phase = Phase.DRAINING;
    timers.cancel(NoteImages.INSTANCE);
    parts.console().line("Shutting down procs");
    parts.coordinator().tell(CoordinatorCommand.StopTelemetry.INSTANCE);
    timers.startSingleTimer(TelemetryLate.INSTANCE, TELEMETRY_DRAIN);
    for (String gone : Set.copyOf(silent)) {
      onTelemetryClosed(gone);
    }
    return this;
  }

  private Behavior<Command> onTelemetryClosed(String node) {
    if (phase == Phase.DRAINING && monitored.remove(node)) {
      parts.postProcessor().tell(new PostProcessor.Closed(node));
      if (monitored.isEmpty()) {
        return finishTelemetry();
      }
    }
    return this;
  }

  private Behavior<Command> finishTelemetry() {
    if (phase == Phase.DRAINING) {
      timers.cancel(TelemetryLate.INSTANCE);
      monitored.forEach(
          late -> parts.console().note("node " + late + " did not end its telemetry in time"));
      monitored.clear(); // ignores nodes that end later
      parts
          .postProcessor()
          .tell(
              new PostProcessor.Finish(
                  getContext().messageAdapter(PostProcessor.Finished.class, Drained::new)));
    }
    return this;
  }

  private Behavior<Command> onDrained(Drained message) {
    runProgress.observed(message.event().summaries());
    return endNodes();
  }

  private Behavior<Command> onInterrupt(Interrupt command) {
    if (phase != Phase.ENDING) {
      parts.console().note("remuda: ending: " + command.reason());
    }
    return interrupt(command.reason(), command.exitCode());
  }

  private Behavior<Command> interrupt(String reason, int code) {
    if (phase == Phase.ENDING) {
      return this;
    }
    exitCode = code;
    endReason = reason;
    return endNodes();
  }

  private Behavior<Command> endNodes() {
    if (phase == Phase.ENDING) {
      return this;
    }
    phase = Phase.ENDING;
    timers.cancelAll();
    Duration grace = parts.grace();
    parts.coordinator().tell(new CoordinatorCommand.EndNodes(endReason, grace));
    timers.startSingleTimer(EndLate.INSTANCE, parts.endDeadline().plus(parts.forceDeadline()));
    parts
        .agents()
        .tell(
            new RunAgents.End(
                parts.endDeadline(),
                getContext().messageAdapter(RunAgents.Ended.class, NodesEnded::new)));
    return this;
  }

  /** Records that the run's own agents have ended; for others, their connections end. */
  private Behavior<Command> onLocalEnded() {
    localEnded = true;
    return finishIfAllEnded();
  }

  private Behavior<Command> finishIfAllEnded() {
    return localEnded && silent.containsAll(nodes.keySet()) ? finish() : this;
  }

  private Behavior<Command> finish() {
    if (exitCode == 0) {
      printResults();
    }
    parts.replyTo().tell(new Outcome(exitCode));
    return Behaviors.stopped();
  }

  private void printResults() {
    runProgress.telemetry().stream().map(ProgressLines::summary).forEach(parts.console()::note);
    runProgress.finalLines().forEach(parts.console()::result);
    runProgress.failureLines().forEach(parts.console()::note);
    exitCode = runProgress.isGood() ? 0 : FAILED;
    if (parts.json()) {
      double seconds = (parts.nanoClock().getAsLong() - startedAt) / 1e9;
      parts.console().report(runProgress.json(parts.run(), List.copyOf(nodes.keySet()), seconds));
    }
  }
}
