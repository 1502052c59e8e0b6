package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.cluster.KnownLeader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.TLSClosing;
import org.apache.pekko.stream.TLSProtocol;
import org.apache.pekko.stream.javadsl.BidiFlow;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.TLS;
import org.apache.pekko.stream.javadsl.Tcp;
import org.apache.pekko.util.ByteString;

/** Accepts connections of agents with mutual TLS and starts a session actor for each. */
public final class AgentListener {

  private static final int BACKLOG = 128;

  /** What the system says of a port that is taken, as Linux has it. */
  private static final String TAKEN = "Address already in use";

  /** Between two trials to listen at a port that is taken. */
  static final Duration BIND_PAUSE = Duration.ofMillis(250);

  private static final int MOST_TRIALS = 20;

  /** A message to the listener. */
  public sealed interface Command {}

  private record Connected(Tcp.IncomingConnection connection) implements Command {}

  private record Bound(Tcp.ServerBinding binding) implements Command {}

  /**
   * @param trial number of this trial, from 1
   */
  private record Failed(String cause, int trial) implements Command {}

  private record Bind(int trial) implements Command {}

  /** The result of binding the address. */
  public sealed interface Answer {}

  /** The listener is bound to {@code address}. */
  public record Listening(InetSocketAddress address) implements Answer {}

  /** The address could not be bound. */
  public record CannotListen(String cause) implements Answer {}

  private AgentListener() {}

  /**
   * Creates the behaviour of a listener.
   *
   * @param host address to bind to
   * @param port 0 for any free port
   * @param silence time without a message after which a session ends
   * @param leader where the coordinator is
   * @param rate connections beyond this rate are closed before their handshake
   */
  public static Behavior<Command> create(
      String host,
      int port,
      ClusterTls tls,
      Duration silence,
      HandshakeRateLimiter rate,
      KnownLeader leader,
      ActorRef<Answer> replyTo) {
    return Behaviors.setup(
        context -> {
          bind(context, host, port, 1);
          return Behaviors.receive(Command.class)
              .onMessage(Bound.class, bound -> onBound(bound, replyTo))
              .onMessage(Failed.class, failed -> onFailed(context, failed, replyTo))
              .onMessage(
                  Bind.class,
                  again -> {
                    bind(context, host, port, again.trial());
                    return Behaviors.same();
                  })
              .onMessage(
                  Connected.class,
                  event ->
                      rate.admits()
                          ? onConnected(context, event, tls, silence, leader)
                          : onTooMany(context, event))
              .build();
        });
  }

  private static void bind(ActorContext<Command> context, String host, int port, int trial) {
    ActorRef<Command> self = context.getSelf();
    CompletionStage<Tcp.ServerBinding> binding =
        Tcp.get(context.getSystem())
            .bind(host, port, BACKLOG, List.of(), true, Optional.<Duration>empty())
            .to(Sink.foreach(connection -> self.tell(new Connected(connection))))
            .run(context.getSystem());
    context.pipeToSelf(
        binding,
        (bound, fault) -> fault == null ? new Bound(bound) : new Failed(message(fault), trial));
  }

  /** Returns the plaintext side of a TLS connection. */
  private static Flow<ByteString, ByteString, NotUsed> secured(
      Flow<ByteString, ByteString, NotUsed> connection, ClusterTls tls) {
    BidiFlow<ByteString, TLSProtocol.SslTlsOutbound, TLSProtocol.SslTlsInbound, ByteString, NotUsed>
        bytes =
            BidiFlow.fromFlows(
                Flow.of(ByteString.class).map(TLSProtocol.SendBytes::new),
                Flow.of(TLSProtocol.SslTlsInbound.class)
                    .collectType(TLSProtocol.SessionBytes.class)
                    .map(TLSProtocol.SessionBytes::bytes));
    return bytes
        .atop(TLS.create(tls::server, session -> {}, TLSClosing.eagerClose()))
        .join(connection);
  }

  private static String message(Throwable fault) {
    Throwable root = fault.getCause() == null ? fault : fault.getCause();
    return String.valueOf(root.getMessage());
  }

  private static Behavior<Command> onBound(Bound bound, ActorRef<Answer> replyTo) {
    replyTo.tell(new Listening(bound.binding().localAddress()));
    return Behaviors.same();
  }

  /** A port is free again soon if a connection of another program had it since it was looked at. */
  private static Behavior<Command> onFailed(
      ActorContext<Command> context, Failed failed, ActorRef<Answer> replyTo) {
    if (failed.trial() < MOST_TRIALS && failed.cause().contains(TAKEN)) {
      context.scheduleOnce(BIND_PAUSE, context.getSelf(), new Bind(failed.trial() + 1));
      return Behaviors.same();
    }
    replyTo.tell(new CannotListen(failed.cause()));
    return Behaviors.stopped();
  }

  private static Behavior<Command> onConnected(
      ActorContext<Command> context,
      Connected event,
      ClusterTls tls,
      Duration silence,
      KnownLeader leader) {
    Flow<ByteString, ByteString, NotUsed> flow = secured(event.connection().flow(), tls);
    String reachedAt = event.connection().localAddress().getAddress().getHostAddress();
    context.spawnAnonymous(
        Behaviors.supervise(AgentSession.create(flow, silence, reachedAt, leader))
            .onFailure(SupervisorStrategy.stop()));
    return Behaviors.same();
  }

  /** Closes the connection before its handshake; an agent connects again. */
  private static Behavior<Command> onTooMany(ActorContext<Command> context, Connected event) {
    Source.<ByteString>empty()
        .via(event.connection().flow())
        .runWith(Sink.cancelled(), context.getSystem());
    return Behaviors.same();
  }
}
