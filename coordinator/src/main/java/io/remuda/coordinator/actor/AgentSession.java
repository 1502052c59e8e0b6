package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.WireFraming;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.MessageToAgentSession;
import io.remuda.coordinator.api.MetricsReported;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.LeaderNotice;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.QueueOfferResult;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * An agent's connection. The first message must be a Hello with this protocol; all later ones are
 * forwarded to the coordinator with the node's name. If the coordinator is another process, the
 * agent is told which. The session ends with its connection, after a time without messages, when
 * the queue to the agent is full, and when the coordinator ends.
 */
public final class AgentSession extends AbstractBehavior<AgentSession.Command> {

  private static final int QUEUED_FRAMES = 1024;

  /** Reports of programs that wait to be kept; the agent sends further ones again. */
  private static final int MOST_UNKEPT = 10_000;

  /** A message to a session. */
  public sealed interface Command {}

  private record Ordered(MessageToAgentSession command) implements Command {}

  private record Received(AgentMessage message) implements Command {}

  private record Ended(String cause) implements Command {}

  private final KnownLeader leader;
  private final ActorRef<MessageToAgentSession> orders;
  private final BoundedSourceQueue<CoordinatorMessage> outgoing;
  private final String reachedAt;
  private String node;
  private String cause = "closed";
  private int unkept; // messages since something was kept

  /** Null until the agent has introduced itself. */
  private ActorRef<CoordinatorCommand> coordinator;

  private AgentSession(
      ActorContext<Command> context,
      Flow<ByteString, ByteString, NotUsed> transport,
      Duration silence,
      String reachedAt,
      KnownLeader leader) {
    super(context);
    this.reachedAt = reachedAt;
    this.leader = leader;
    this.orders = context.messageAdapter(MessageToAgentSession.class, Ordered::new);
    ActorRef<Command> self = context.getSelf();
    Flow<CoordinatorMessage, AgentMessage, NotUsed> wire =
        WireFraming.over(transport, AgentMessage.class);
    Pair<BoundedSourceQueue<CoordinatorMessage>, CompletionStage<Done>> running =
        Source.<CoordinatorMessage>queue(QUEUED_FRAMES)
            .via(wire)
            .idleTimeout(silence)
            .toMat(Sink.foreach(message -> self.tell(new Received(message))), Keep.both())
            .run(context.getSystem());
    this.outgoing = running.first();
    context.pipeToSelf(running.second(), (done, fault) -> new Ended(describe(fault, silence)));
  }

  private static String describe(Throwable fault, Duration silence) {
    if (fault == null) {
      return "its connection was closed";
    }
    if (fault instanceof CompletionException && fault.getCause() != null) {
      return describe(fault.getCause(), silence);
    }
    return fault instanceof TimeoutException
        ? "no message for " + silence.toSeconds() + " s"
        : "its connection broke: " + fault.getMessage();
  }

  /**
   * Creates the behaviour of a session.
   *
   * @param reachedAt the address of this server to which the agent is connected
   */
  static Behavior<Command> create(
      Flow<ByteString, ByteString, NotUsed> transport,
      Duration silence,
      String reachedAt,
      KnownLeader leader) {
    return Behaviors.setup(
        context -> new AgentSession(context, transport, silence, reachedAt, leader));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Received.class, this::onReceived)
        .onMessage(Ordered.class, event -> onOrdered(event.command()))
        .onMessage(Ended.class, this::onEnded)
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<Command> onReceived(Received event) {
    if (node != null && event.message() instanceof AgentMessage.Metrics metrics) {
      onMetrics(metrics);
    } else if (node != null) {
      coordinator.tell(new CoordinatorCommand.AgentSaid(node, orders, event.message()));
    } else if (event.message() instanceof AgentMessage.Hello hello) {
      Optional<String> refusal = refusal(hello);
      if (refusal.isPresent()) {
        getContext().getLog().warn("refused {}: {}", hello.node(), refusal.get());
        outgoing.offer(new CoordinatorMessage.Refused(refusal.get()));
        return onClose();
      }
      Optional<ActorRef<CoordinatorCommand>> here = leader.coordinator();
      if (here.isEmpty()) {
        String there = leader.notice().map(LeaderNotice::agents).orElse("");
        outgoing.offer(new CoordinatorMessage.NotLeader(there));
        return onClose();
      }
      coordinator = here.get();
      getContext().watchWith(coordinator, new Ended("its coordinator has ended"));
      node = hello.node();
      coordinator.tell(new CoordinatorCommand.AgentJoined(hello, orders, reachedAt));
    } else {
      return end("the first message was " + event.message().getClass().getSimpleName());
    }
    return this;
  }

  /** Publishes what a program has reported, while not too much waits to be kept. */
  private void onMetrics(AgentMessage.Metrics metrics) {
    if (unkept < MOST_UNKEPT) {
      unkept++;
      getContext()
          .getSystem()
          .eventStream()
          .tell(new EventStream.Publish<>(new MetricsReported(metrics, orders)));
    }
  }

  /** Returns why an agent is refused: builds may differ, but must speak the same protocol. */
  static Optional<String> refusal(AgentMessage.Hello hello) {
    int own = WireMessage.PROTOCOL_VERSION;
    if (hello.protocol() == own) {
      return Optional.empty();
    }
    String older = hello.protocol() < own ? "agent" : "coordinator";
    return Optional.of(
        "the agent is build "
            + hello.build()
            + " and speaks version "
            + hello.protocol()
            + " of the agents' protocol, the coordinator is build "
            + BuildVersion.VERSION
            + " and speaks version "
            + own
            + ": replace the "
            + older
            + " by the other's release");
  }

  private Behavior<Command> onOrdered(MessageToAgentSession command) {
    return command instanceof MessageToAgentSession.Send send ? onSend(send.message()) : onClose();
  }

  private Behavior<Command> onSend(CoordinatorMessage message) {
    if (message instanceof CoordinatorMessage.MetricsKept) {
      unkept = 0;
    }
    QueueOfferResult result = outgoing.offer(message);
    return result.equals(QueueOfferResult.enqueued()) ? this : end("the agent does not read");
  }

  private Behavior<Command> onClose() {
    WireFraming.complete(outgoing);
    return this;
  }

  private Behavior<Command> onEnded(Ended event) {
    return end(event.cause());
  }

  private Behavior<Command> end(String why) {
    cause = why;
    return Behaviors.stopped();
  }

  private Behavior<Command> onStop() {
    WireFraming.fail(outgoing, cause);
    if (node != null) {
      coordinator.tell(new CoordinatorCommand.AgentGone(node, orders, cause));
    }
    return this;
  }
}
