package io.remuda.agent.actor;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.WireFraming;
import io.remuda.agent.settings.AgentSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLHandshakeException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.QueueOfferResult;
import org.apache.pekko.stream.TLSClosing;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.Tcp;
import org.apache.pekko.util.ByteString;

/**
 * Keeps one TLS connection to the coordinator that leads. Dials the contacts of the access file in
 * turn, the one next that another coordinator names as the leader, waits with jitter after each
 * failure, and closes a connection that is silent for too long.
 *
 * <p>After a pause of the whole process (SIGSTOP, a suspended machine) the socket holds old frames.
 * The first one shows a gap on the monotonic clock longer than the read timeout; the connection is
 * then dropped, so that no old frame is acted on.
 */
public final class CoordinatorLink extends AbstractBehavior<CoordinatorLink.Command> {

  private static final int QUEUED_FRAMES = 512;

  /** A command to the link. */
  public sealed interface Command {}

  /** Sends a message. Without a connection it is dropped; the agent repeats what matters. */
  public record Send(AgentMessage message) implements Command {}

  /** Closes the connection and stops dialling. */
  public enum Close implements Command {
    INSTANCE
  }

  /**
   * The content of the access file.
   *
   * @param access empty if there is no file or it cannot be read
   * @param fault why it cannot be read; empty if there is no file
   */
  record AccessRead(Optional<AccessFile> access, String fault) implements Command {}

  private enum Dial implements Command {
    INSTANCE
  }

  private record Opened(long connection, String localAddress) implements Command {}

  private record Received(long connection, CoordinatorMessage message) implements Command {}

  private record Lost(long connection, String cause) implements Command {}

  private final AgentSettings settings;
  private final ActorRef<NodeAgentCommand> agent;
  private final LongSupplier nanoClock;
  private final TimerScheduler<Command> timers;
  private final ActorRef<AccessFileReader.Read> accessReader;

  private BoundedSourceQueue<AgentMessage> outgoing;
  private long connection;
  private boolean opened;
  private long lastHeard;
  private int nextContact;

  /** The contact that was named as the leader's and has not been dialled since; null for none. */
  private String namedLeader;

  /** Whether the current connection is one to a leader that was named. */
  private boolean followsName;

  private String lastCause = "";

  private CoordinatorLink(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      AgentSettings settings,
      ActorRef<NodeAgentCommand> agent,
      LongSupplier nanoClock) {
    super(context);
    this.timers = timers;
    this.settings = settings;
    this.agent = agent;
    this.nanoClock = nanoClock;
    this.accessReader =
        context.spawn(AccessFileReader.create(settings), "access", AccessFileReader.PROPS);
    context.getSelf().tell(Dial.INSTANCE);
  }

  public static Behavior<Command> create(
      AgentSettings settings, ActorRef<NodeAgentCommand> agent, LongSupplier nanoClock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new CoordinatorLink(context, timers, settings, agent, nanoClock)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Send.class, this::onSend)
        .onMessage(Dial.class, message -> onDial())
        .onMessage(AccessRead.class, this::onAccessRead)
        .onMessage(Opened.class, this::onOpened)
        .onMessage(Received.class, this::onReceived)
        .onMessage(Lost.class, this::onLost)
        .onMessage(Close.class, message -> onClose())
        .build();
  }

  private Behavior<Command> onDial() {
    accessReader.tell(new AccessFileReader.Read(getContext().getSelf()));
    return this;
  }

  private Behavior<Command> onAccessRead(AccessRead event) {
    if (event.access().isPresent()) {
      dial(event.access().get());
    } else if (event.fault().isEmpty()) {
      redial("waiting for " + settings.access(), Duration.ofMillis(50));
    } else {
      redial(event.fault(), settings.timing().retry());
    }
    return this;
  }

  private void dial(AccessFile access) {
    try {
      dial(contact(access.contacts()), ClusterTls.of(access));
    } catch (GeneralSecurityException | IllegalArgumentException fault) {
      redial(fault.toString(), settings.timing().retry());
    }
  }

  private InetSocketAddress contact(List<String> contacts) {
    String contact =
        namedLeader != null && contacts.contains(namedLeader)
            ? namedLeader
            : contacts.get(Math.floorMod(nextContact++, contacts.size()));
    namedLeader = null;
    int colon = contact.lastIndexOf(':');
    return new InetSocketAddress(
        contact.substring(0, colon), Integer.parseInt(contact.substring(colon + 1)));
  }

  private void dial(InetSocketAddress address, ClusterTls tls) {
    long number = ++connection;
    opened = false;
    Flow<ByteString, ByteString, CompletionStage<Tcp.OutgoingConnection>> transport =
        Tcp.get(getContext().getSystem())
            .outgoingConnectionWithTls(
                address,
                tls::client,
                Optional.empty(),
                List.of(),
                Optional.of(settings.timing().connectTimeout()),
                Optional.empty(),
                session -> Optional.empty(),
                TLSClosing.eagerClose());
    Flow<AgentMessage, CoordinatorMessage, CompletionStage<Tcp.OutgoingConnection>> wire =
        WireFraming.over(transport, CoordinatorMessage.class);
    ActorRef<Command> self = getContext().getSelf();
    Pair<
            Pair<BoundedSourceQueue<AgentMessage>, CompletionStage<Tcp.OutgoingConnection>>,
            CompletionStage<Done>>
        running =
            Source.<AgentMessage>queue(QUEUED_FRAMES)
                .viaMat(wire, Keep.both())
                .idleTimeout(settings.timing().readTimeout())
                .toMat(
                    Sink.foreach(message -> self.tell(new Received(number, message))), Keep.both())
                .run(getContext().getSystem());
    outgoing = running.first().first();
    getContext()
        .pipeToSelf(
            running.first().second(),
            (opened, fault) ->
                fault == null
                    ? new Opened(number, opened.localAddress().getAddress().getHostAddress())
                    : lost(number, fault));
    getContext().pipeToSelf(running.second(), (done, fault) -> lost(number, fault));
  }

  private Lost lost(long number, Throwable fault) {
    return new Lost(
        number, fault == null ? "closed by the coordinator" : cause(fault, settings.access()));
  }

  /** Returns why a connection has failed, in one line. */
  static String cause(Throwable fault, Path access) {
    return fault instanceof SSLHandshakeException refused
        ? "the coordinator and this agent do not accept each other's key ("
            + refused.getMessage()
            + "): if it was renewed, put the access.json of a coordinator at "
            + access
        : fault.toString();
  }

  private Behavior<Command> onOpened(Opened event) {
    if (event.connection() == connection) {
      opened = true;
      lastHeard = nanoClock.getAsLong();
      agent.tell(new NodeAgentCommand.LinkUp(event.localAddress()));
    }
    return this;
  }

  private Behavior<Command> onReceived(Received event) {
    if (event.connection() != connection) {
      return this; // a frame of an earlier connection
    }
    long now = nanoClock.getAsLong();
    if (now - lastHeard > settings.timing().readTimeout().toNanos()) {
      return onLost(new Lost(connection, "this agent was paused: old messages are dropped"));
    }
    lastHeard = now;
    if (event.message() instanceof CoordinatorMessage.NotLeader other) {
      return onNotLeader(other);
    }
    lastCause = "";
    agent.tell(new NodeAgentCommand.FromCoordinator(event.message()));
    return this;
  }

  private Behavior<Command> onLost(Lost event) {
    if (event.connection() == connection) { // else handled already
      drop(event.cause());
      redial(event.cause(), settings.timing().retry());
    }
    return this;
  }

  /** Dials the leader at once if it is named, unless that led here: a name may be out of date. */
  private Behavior<Command> onNotLeader(CoordinatorMessage.NotLeader other) {
    String cause = "another coordinator leads";
    boolean follows = !other.contact().isEmpty() && !followsName;
    drop(cause);
    followsName = follows;
    namedLeader = follows ? other.contact() : null;
    redial(cause, follows ? Duration.ZERO : settings.timing().retry());
    return this;
  }

  private void drop(String cause) {
    connection++;
    followsName = false;
    WireFraming.fail(outgoing, "given up: " + cause);
    if (opened) {
      opened = false;
      agent.tell(NodeAgentCommand.LinkDown.INSTANCE);
    }
  }

  private void redial(String cause, Duration wait) {
    if (!cause.equals(lastCause)) {
      getContext().getLog().info("no coordinator: {}", cause);
      lastCause = cause;
    }
    long millis = wait.toMillis();
    long jitter = ThreadLocalRandom.current().nextLong(millis + 1);
    timers.startSingleTimer(Dial.INSTANCE, Duration.ofMillis(millis + jitter));
  }

  private Behavior<Command> onSend(Send command) {
    if (opened && !QueueOfferResult.enqueued().equals(outgoing.offer(command.message()))) {
      return onLost(new Lost(connection, "the coordinator does not read"));
    }
    return this;
  }

  private Behavior<Command> onClose() {
    if (outgoing != null) {
      WireFraming.complete(outgoing);
    }
    return Behaviors.stopped();
  }
}
