package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.ClusterTls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.TLSClosing;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Tcp;

/** Listens for agents: mutual TLS, one session actor for each connection. */
public final class AgentListener {

  private static final int BACKLOG = 128;

  /** What the listener is told. */
  public sealed interface Command {}

  private record Connected(Tcp.IncomingConnection connection) implements Command {}

  private record Bound(Tcp.ServerBinding binding) implements Command {}

  private record Failed(String cause) implements Command {}

  /** What became of the attempt to listen. */
  public sealed interface Answer {}

  /** It listens there. */
  public record Listening(InetSocketAddress address) implements Answer {}

  /** It does not listen. */
  public record CannotListen(String cause) implements Answer {}

  private AgentListener() {}

  /**
   * The behaviour of a listener.
   *
   * @param host address to bind to
   * @param port 0 for any free one
   * @param silence after which a session ends
   */
  public static Behavior<Command> create(
      String host,
      int port,
      ClusterTls tls,
      Duration silence,
      ActorRef<Coordinator.Command> coordinator,
      ActorRef<Answer> replyTo) {
    return Behaviors.setup(
        context -> {
          bind(context, host, port, tls);
          return Behaviors.receive(Command.class)
              .onMessage(Bound.class, bound -> onBound(bound, replyTo))
              .onMessage(Failed.class, failed -> onFailed(failed, replyTo))
              .onMessage(
                  Connected.class, event -> onConnected(context, event, silence, coordinator))
              .build();
        });
  }

  private static void bind(ActorContext<Command> context, String host, int port, ClusterTls tls) {
    ActorRef<Command> self = context.getSelf();
    CompletionStage<Tcp.ServerBinding> binding =
        Tcp.get(context.getSystem())
            .bindWithTls(
                host,
                port,
                tls::server,
                BACKLOG,
                List.of(),
                Optional.empty(),
                session -> Optional.empty(),
                TLSClosing.eagerClose())
            .to(Sink.foreach(connection -> self.tell(new Connected(connection))))
            .run(context.getSystem());
    context.pipeToSelf(
        binding, (bound, fault) -> fault == null ? new Bound(bound) : new Failed(message(fault)));
  }

  private static String message(Throwable fault) {
    Throwable root = fault.getCause() == null ? fault : fault.getCause();
    return String.valueOf(root.getMessage());
  }

  private static Behavior<Command> onBound(Bound bound, ActorRef<Answer> replyTo) {
    replyTo.tell(new Listening(bound.binding().localAddress()));
    return Behaviors.same();
  }

  private static Behavior<Command> onFailed(Failed failed, ActorRef<Answer> replyTo) {
    replyTo.tell(new CannotListen(failed.cause()));
    return Behaviors.stopped();
  }

  private static Behavior<Command> onConnected(
      ActorContext<Command> context,
      Connected event,
      Duration silence,
      ActorRef<Coordinator.Command> coordinator) {
    context.spawnAnonymous(
        Behaviors.supervise(AgentSession.create(event.connection().flow(), silence, coordinator))
            .onFailure(SupervisorStrategy.stop()));
    return Behaviors.same();
  }
}
