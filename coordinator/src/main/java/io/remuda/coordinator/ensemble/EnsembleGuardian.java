package io.remuda.coordinator.ensemble;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.actor.AgentListener;
import io.remuda.coordinator.actor.Coordinator;
import io.remuda.coordinator.actor.EventLog;
import io.remuda.coordinator.actor.HandshakeRate;
import io.remuda.coordinator.actor.PostProcessor;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.status.RunStatus;
import io.remuda.coordinator.status.RunningEnsembles;
import io.remuda.coordinator.status.StatusFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.SingletonActor;

/**
 * The root actor of one run. It starts the post-processor first, then the event log, the
 * coordinator as the cluster's singleton, the listener for agents, the actor that watches the run's
 * agents, and the run itself.
 */
public final class EnsembleGuardian {

  /** A message to the guardian. */
  public sealed interface Command {}

  /** Forwards a command to the run. */
  public record ToRun(Ensemble.Command command) implements Command {}

  private record Listening(AgentListener.Answer answer) implements Command {}

  private record NodeTrouble(RunAgents.Trouble trouble) implements Command {}

  private record Over(Ensemble.Outcome outcome) implements Command {}

  /**
   * The parts of a run.
   *
   * @param listenHost address for agents
   * @param listenPort port for agents, 0 for any
   * @param agents that the run has started
   * @param exitCode completed with the run's exit code when all its processes have ended
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
      LongSupplier nanoClock,
      CompletableFuture<Integer> exitCode) {}

  /** The exit code that a shell reports after SIGTERM. */
  private static final int TERMINATED = 143;

  private EnsembleGuardian() {}

  public static Behavior<Command> create(Setup setup) {
    return Behaviors.setup(context -> running(context, setup));
  }

  private static Behavior<Command> running(ActorContext<Command> context, Setup setup)
      throws IOException, GeneralSecurityException {
    ActorRef<PostProcessor.Command> postProcessor =
        context.spawn(PostProcessor.create(setup.machine(), setup.console()), "post-processor");
    ActorRef<EventLog.Command> eventLog =
        context.spawn(
            EventLog.create(setup.folder().events(), Clock.systemUTC()),
            "event-log",
            EventLog.PROPS);
    ActorRef<RunStatus> status =
        context.spawn(
            StatusFile.create(RunningEnsembles.fileOf(setup.folder().path())),
            "status",
            StatusFile.PROPS);
    setup.console().line("Number of images: " + setup.settings().images());
    ActorRef<Coordinator.Command> coordinator =
        coordinator(context, setup, postProcessor, eventLog, status);
    context.spawn(
        AgentListener.create(
            setup.listenHost(),
            setup.listenPort(),
            ClusterTls.of(setup.key().access(List.of())),
            setup.coordinator().sessionSilence(),
            new HandshakeRate(setup.coordinator().handshakesPerSecond(), System::nanoTime),
            coordinator,
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
    ActorRef<Ensemble.Command> run =
        context.spawn(
            Ensemble.create(
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
                    context.messageAdapter(Ensemble.Outcome.class, Over::new))),
            "run");
    context.watch(run); // its failure ends the actor system, which fails the run
    context.watchWith(postProcessor, gone("the post-processor failed"));
    context.watchWith(agents, gone("the actor that watches the nodes failed"));
    return Behaviors.receive(Command.class)
        .onMessage(ToRun.class, message -> tell(run, message.command()))
        .onMessage(Listening.class, message -> onListening(message, setup, run))
        .onMessage(NodeTrouble.class, message -> onNodeTrouble(message.trouble(), setup, run))
        .onMessage(Over.class, message -> onOver(message, setup))
        .build();
  }

  private static Behavior<Command> onNodeTrouble(
      RunAgents.Trouble trouble, Setup setup, ActorRef<Ensemble.Command> run) {
    if (trouble instanceof RunAgents.GaveUp gaveUp) {
      return tell(run, new Ensemble.NodeGivenUp(gaveUp.node(), gaveUp.cause()));
    } else if (trouble instanceof RunAgents.NeverHeard silent) {
      setup
          .console()
          .note("node " + silent.node() + " did not come up; its agent is started again");
    } else if (trouble instanceof RunAgents.Revoked revoked) {
      return tell(run, new Ensemble.Interrupt(revoked.cause(), TERMINATED));
    }
    return Behaviors.same();
  }

  /** Returns a message that ends the run unless it is ending already. */
  private static ToRun gone(String what) {
    return new ToRun(new Ensemble.Interrupt(what, 1));
  }

  private static ActorRef<Coordinator.Command> coordinator(
      ActorContext<Command> context,
      Setup setup,
      ActorRef<PostProcessor.Command> postProcessor,
      ActorRef<EventLog.Command> eventLog,
      ActorRef<RunStatus> status) {
    Cluster cluster = Cluster.get(context.getSystem());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    CoordinatorSettings settings = setup.coordinator();
    Behavior<Coordinator.Command> behavior =
        Coordinator.create(
            new Coordinator.Settings(
                setup.folder().run(),
                1,
                settings.contactDeadline(),
                settings.tick(),
                setup.settings().interval(),
                settings.retry(),
                settings.sharing()),
            setup.nanoClock(),
            postProcessor,
            eventLog,
            status);
    return ClusterSingleton.get(context.getSystem())
        .init(
            SingletonActor.of(
                Behaviors.supervise(behavior).onFailure(SupervisorStrategy.stop()), "coordinator"));
  }

  private static Behavior<Command> tell(ActorRef<Ensemble.Command> run, Ensemble.Command command) {
    run.tell(command);
    return Behaviors.same();
  }

  /** Writes the access file, for which agents of this machine wait. */
  private static Behavior<Command> onListening(
      Listening message, Setup setup, ActorRef<Ensemble.Command> run) throws IOException {
    if (message.answer() instanceof AgentListener.Listening listening) {
      InetSocketAddress address = listening.address();
      AccessFile access =
          setup
              .key()
              .access(List.of(address.getAddress().getHostAddress() + ":" + address.getPort()));
      access.write(setup.folder().access());
      if (setup.settings().joiningNodes() > 0) {
        setup
            .console()
            .note(
                "waiting for "
                    + setup.settings().joiningNodes()
                    + " nodes: on each, java -jar node-agent.jar --join "
                    + setup.folder().access());
      }
    } else if (message.answer() instanceof AgentListener.CannotListen cannot) {
      setup
          .console()
          .note(
              "remuda: cannot listen on "
                  + setup.listenHost()
                  + ":"
                  + setup.listenPort()
                  + ": "
                  + cannot.cause());
      run.tell(new Ensemble.Interrupt("cannot listen", 1));
    }
    return Behaviors.same();
  }

  private static Behavior<Command> onOver(Over message, Setup setup) {
    setup.exitCode().complete(message.outcome().exitCode());
    return Behaviors.stopped();
  }
}
