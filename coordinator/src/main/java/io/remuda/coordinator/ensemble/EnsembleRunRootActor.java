package io.remuda.coordinator.ensemble;

import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.actor.AgentListener;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.CoordinatorSingleton;
import io.remuda.coordinator.actor.EventFileAppender;
import io.remuda.coordinator.actor.HandshakeRateLimiter;
import io.remuda.coordinator.actor.TelemetryPostProcessor;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.status.RunStatusFile;
import io.remuda.coordinator.status.RunningEnsembles;
import io.remuda.coordinator.store.StoreOpener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The root actor of one run. It starts the post-processor first, then the event log, the
 * coordinator as the cluster's singleton, the listener for agents, the actor that watches the run's
 * agents, and the run itself.
 */
public final class EnsembleRunRootActor {

  /** A message to the guardian. */
  public sealed interface Command {}

  /** Forwards a command to the run. */
  public record ToRun(Ensemble.Command command) implements Command {}

  /**
   * Starts the run; the first message, sent once. The answer is the run's exit code, when all its
   * processes have ended.
   */
  public record Begin(Setup setup, ActorRef<Integer> replyTo) implements Command {}

  private record Listening(AgentListener.Answer answer) implements Command {}

  private record NodeTrouble(RunAgents.Trouble trouble) implements Command {}

  private record Over(Ensemble.Outcome outcome) implements Command {}

  /**
   * The parts of a run.
   *
   * @param listenHost address for agents
   * @param listenPort port for agents, 0 for any
   * @param agents that the run has started
   * @param store in the run's folder
   * @param clock wall clock for recorded times
   */
  public record Setup(
      EnsembleSettings settings,
      CoordinatorSettings coordinator,
      RunFolder folder,
      String user,
      String machine,
      boolean json,
      String listenHost,
      int listenPort,
      ClusterKey key,
      RunAgents agents,
      Console console,
      StoreOpener.Opened store,
      Clock clock,
      LongSupplier nanoClock) {}

  /** The exit code that a shell reports after SIGTERM. */
  private static final int TERMINATED = 143;

  /** Nodes may join at any time, so no job of a run is refused because it fits on no node. */
  private static final Duration ALWAYS = Duration.ofDays(10_000);

  private final ActorContext<Command> context;
  private final Setup setup;
  private final ActorRef<Integer> starter;
  private final ActorRef<Ensemble.Command> run;

  private EnsembleRunRootActor(ActorContext<Command> context, Begin begin)
      throws IOException, GeneralSecurityException {
    this.context = context;
    this.setup = begin.setup();
    this.starter = begin.replyTo();
    ActorRef<TelemetryPostProcessor.Command> postProcessor =
        context.spawn(TelemetryPostProcessor.create(setup.console()), "post-processor");
    setup.console().line("This is the postprocessing process, " + setup.machine() + ".");
    setup.console().line("Number of images: " + setup.settings().images());
    ActorRef<CoordinatorCommand> coordinator = coordinator(postProcessor);
    context.spawn(
        AgentListener.create(
            setup.listenHost(),
            setup.listenPort(),
            ClusterTls.of(setup.key().access(List.of())),
            setup.coordinator().sessionSilence(),
            new HandshakeRateLimiter(setup.coordinator().handshakesPerSecond(), System::nanoTime),
            KnownLeader.of(coordinator),
            context.messageAdapter(AgentListener.Answer.class, Listening::new)),
        "agent-listener");
    ActorRef<RunAgents.Command> agents =
        context.spawn(
            setup
                .agents()
                .watch(
                    setup.coordinator().nodePatience(),
                    context.messageAdapter(RunAgents.Trouble.class, NodeTrouble::new)),
            "agents",
            DispatcherSelector.fromConfig("remuda.blocking-dispatcher"));
    this.run = context.spawn(ensemble(coordinator, postProcessor, agents), "run");
    context.watch(run); // its failure ends the actor system, which fails the run
    context.watchWith(postProcessor, gone("the post-processor failed"));
    context.watchWith(agents, gone("the actor that watches the nodes failed"));
  }

  /** Creates the actor; it waits for {@link Begin}, so that the store is opened meanwhile. */
  public static Behavior<Command> create() {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Command.class)
                .onMessage(Begin.class, begin -> new EnsembleRunRootActor(context, begin).running())
                .build());
  }

  private Behavior<Command> running() {
    return Behaviors.receive(Command.class)
        .onMessage(ToRun.class, message -> toRun(message.command()))
        .onMessage(Listening.class, this::onListening)
        .onMessage(NodeTrouble.class, message -> onNodeTrouble(message.trouble()))
        .onMessage(Over.class, this::onOver)
        .build();
  }

  private ActorRef<CoordinatorCommand> coordinator(
      ActorRef<TelemetryPostProcessor.Command> postProcessor) {
    CoordinatorSettings settings = setup.coordinator();
    ActorRef<Command> self = context.getSelf(); // for the writer's thread
    setup.store().journal().onLost(() -> self.tell(gone("its state cannot be written")));
    return CoordinatorSingleton.start(
        context.getSystem(),
        new Coordinator.Settings(
            setup.folder().run(),
            setup.store().state().epoch(),
            settings.contactDeadline(),
            settings.tick(),
            setup.settings().interval(),
            settings.retry(),
            settings.sharing(),
            ALWAYS,
            LiveJobLimits.NONE,
            settings.notices()),
        setup.nanoClock(),
        new Coordinator.Subscribers(
            postProcessor,
            context.spawn(
                EventFileAppender.create(setup.folder().events(), setup.clock()),
                "event-log",
                EventFileAppender.PROPS),
            context.spawn(
                RunStatusFile.create(RunningEnsembles.fileOf(setup.folder().path())),
                "status",
                RunStatusFile.PROPS),
            context.getSystem().ignoreRef()), // the run watches the coordinator
        CoordinatorPersistence.over(
            setup.store().journal(), setup.store().state().withoutBirth(), setup.clock()));
  }

  private Behavior<Ensemble.Command> ensemble(
      ActorRef<CoordinatorCommand> coordinator,
      ActorRef<TelemetryPostProcessor.Command> postProcessor,
      ActorRef<RunAgents.Command> agents) {
    return Ensemble.create(
        new Ensemble.Parts(
            setup.settings(),
            setup.folder().run(),
            setup.user(),
            setup.json(),
            setup.coordinator().nodesDeadline(),
            setup.coordinator().grace(),
            setup.agents().endWithin(setup.coordinator().endDeadline()),
            setup.agents().forceWithin(),
            coordinator,
            postProcessor,
            agents,
            setup.console(),
            setup.nanoClock(),
            context.messageAdapter(Ensemble.Outcome.class, Over::new)));
  }

  private Behavior<Command> onNodeTrouble(RunAgents.Trouble trouble) {
    if (trouble instanceof RunAgents.GaveUp gaveUp) {
      return toRun(new Ensemble.NodeGivenUp(gaveUp.node(), gaveUp.cause()));
    } else if (trouble instanceof RunAgents.NeverHeard silent) {
      setup
          .console()
          .note("node " + silent.node() + " did not come up; its agent is started again");
    } else if (trouble instanceof RunAgents.Revoked revoked) {
      return toRun(new Ensemble.Interrupt(revoked.cause(), TERMINATED));
    }
    return Behaviors.same();
  }

  /** Returns a message that ends the run unless it is ending already. */
  private static ToRun gone(String what) {
    return new ToRun(new Ensemble.Interrupt(what, 1));
  }

  private Behavior<Command> toRun(Ensemble.Command command) {
    run.tell(command);
    return Behaviors.same();
  }

  private Behavior<Command> onListening(Listening message) throws IOException {
    if (message.answer() instanceof AgentListener.Listening listening) {
      writeAccess(listening.address());
    } else if (message.answer() instanceof AgentListener.CannotListen cannot) {
      String address = setup.listenHost() + ":" + setup.listenPort();
      setup.console().note("remuda: cannot listen on " + address + ": " + cannot.cause());
      run.tell(new Ensemble.Interrupt("cannot listen", 1));
    }
    return Behaviors.same();
  }

  /** Writes the access file, for which agents of this machine wait. */
  private void writeAccess(InetSocketAddress address) throws IOException {
    String contact = address.getAddress().getHostAddress() + ":" + address.getPort();
    setup.key().access(List.of(contact)).write(setup.folder().access());
    if (setup.settings().joiningNodes() > 0) {
      setup
          .console()
          .note(
              "waiting for "
                  + setup.settings().joiningNodes()
                  + " nodes: on each, java -jar node-agent.jar --join "
                  + setup.folder().access());
    }
  }

  private Behavior<Command> onOver(Over message) {
    starter.tell(message.outcome().exitCode());
    return Behaviors.stopped();
  }
}
