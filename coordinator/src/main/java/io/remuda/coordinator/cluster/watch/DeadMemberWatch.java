package io.remuda.coordinator.cluster.watch;

import io.remuda.coordinator.cluster.ClusterMessage;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Has a member whose process is dead removed at once, so that the next one leads. A machine that
 * refuses a connection to each port of a member says that no process listens there any more; a
 * member that is merely silent (stopped, collecting, cut off) refuses nothing, and is left to the
 * failure detector.
 *
 * <p>A member that has not answered for {@link #SILENCE} is dialled. If it refuses, the others are
 * asked to dial it, too, and it is removed when more than half of the cluster's members have been
 * refused: one that is cut off by a firewall removes nobody on its own.
 */
public final class DeadMemberWatch extends AbstractBehavior<DeadMemberWatch.Command> {

  /** The role of members whose build has a watch; another one would not know the messages. */
  public static final String ROLE = "watches-for-dead-members";

  static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** Longer than most collections, so that a member is seldom dialled in vain. */
  static final Duration SILENCE = Duration.ofMillis(250);

  /** Time between two calls of a member that is silent and listens. */
  static final Duration AGAIN = Duration.ofMillis(500);

  /** A message to the watch. */
  public sealed interface Command {}

  /** Asks whether this member is there. */
  public record Ping(ActorRef<Pong> replyTo) implements Command, ClusterMessage {}

  /**
   * The answer.
   *
   * @param member its name
   */
  public record Pong(String member) implements Command, ClusterMessage {}

  /**
   * Asks this member to dial another one.
   *
   * @param suspect the name of that one
   */
  public record LookAt(String suspect, ActorRef<Seen> replyTo) implements Command, ClusterMessage {}

  /**
   * What a member has seen.
   *
   * @param suspect who was dialled
   * @param by whom
   * @param refused whether each port refused the connection
   */
  public record Seen(String suspect, String by, boolean refused)
      implements Command, ClusterMessage {}

  private record Dialled(String suspect, boolean refused, ActorRef<Seen> replyTo)
      implements Command {}

  private enum Look implements Command {
    INSTANCE
  }

  /** The other members, as this one reaches them. */
  public interface Peers {

    /** Returns the names of those that are in the cluster, not leaving it, and have a watch. */
    Set<String> present();

    /** Sends a message to the watch of another one. */
    void tell(String member, Command message);

    /** Dials each port of a member; the answer is whether all refuse. Does not block. */
    CompletionStage<Boolean> refuses(String member);

    /** Removes a member from the cluster, whose process is dead. */
    void remove(String member);

    /** Lets another process be where one was whose removal is over. */
    void forgetRemoved();
  }

  private final String self;
  private final int majority;
  private final Peers peers;
  private final LongSupplier nanoClock;

  /** Monotonic time of the last answer, by member; one that never answered is not watched. */
  private final Map<String, Long> heard = new HashMap<>();

  /** Monotonic time from which on a silent member may be dialled. */
  private final Map<String, Long> next = new HashMap<>();

  /** Who was refused, by suspect. */
  private final Map<String, Set<String>> refused = new HashMap<>();

  private DeadMemberWatch(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      String self,
      int majority,
      Peers peers,
      LongSupplier nanoClock) {
    super(context);
    this.self = self;
    this.majority = majority;
    this.peers = peers;
    this.nanoClock = nanoClock;
    timers.startTimerWithFixedDelay(Look.INSTANCE, LOOK_EVERY);
  }

  /**
   * Creates the behaviour.
   *
   * @param self the name of this member
   * @param majority how many members, this one among them, must be refused
   * @param nanoClock monotonic clock in nanoseconds
   */
  public static Behavior<Command> create(
      String self, int majority, Peers peers, LongSupplier nanoClock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new DeadMemberWatch(context, timers, self, majority, peers, nanoClock)));
  }

  /** Creates the behaviour for a member of a cluster; all of them run it at the same path. */
  public static Behavior<Command> create(LocalMemberConfig member, LongSupplier nanoClock) {
    return Behaviors.setup(
        context ->
            create(
                member.self().name(),
                member.cluster().majority(),
                new RemotePeers(context, member),
                nanoClock));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Look.class, message -> onLook())
        .onMessage(Ping.class, this::onPing)
        .onMessage(Pong.class, this::onPong)
        .onMessage(LookAt.class, this::onLookAt)
        .onMessage(Dialled.class, this::onDialled)
        .onMessage(Seen.class, this::onSeen)
        .build();
  }

  private Behavior<Command> onLook() {
    peers.forgetRemoved();
    Set<String> present = peers.present();
    heard.keySet().retainAll(present);
    next.keySet().retainAll(present);
    refused.keySet().retainAll(present);
    long now = nanoClock.getAsLong();
    ActorRef<Pong> answers = getContext().getSelf().narrow();
    for (String other : present) {
      peers.tell(other, new Ping(answers));
      Long last = heard.get(other);
      if (last != null && now - last >= SILENCE.toNanos() && mayDial(other, now)) {
        next.put(other, now + AGAIN.toNanos());
        dial(other, null);
      }
    }
    return this;
  }

  private boolean mayDial(String other, long now) {
    Long from = next.get(other);
    return from == null || now - from >= 0;
  }

  private void dial(String suspect, ActorRef<Seen> replyTo) {
    getContext()
        .pipeToSelf(
            peers.refuses(suspect),
            (refuses, fault) ->
                new Dialled(suspect, fault == null && Boolean.TRUE.equals(refuses), replyTo));
  }

  private Behavior<Command> onPing(Ping question) {
    question.replyTo().tell(new Pong(self));
    return this;
  }

  private Behavior<Command> onPong(Pong answer) {
    heard.put(answer.member(), nanoClock.getAsLong());
    next.remove(answer.member());
    refused.remove(answer.member());
    return this;
  }

  private Behavior<Command> onLookAt(LookAt question) {
    if (!question.suspect().equals(self)) {
      dial(question.suspect(), question.replyTo());
    }
    return this;
  }

  private Behavior<Command> onDialled(Dialled event) {
    if (event.replyTo() != null) {
      event.replyTo().tell(new Seen(event.suspect(), self, event.refused()));
    } else if (!event.refused()) {
      refused.remove(event.suspect()); // it listens, whatever was seen before
    } else if (peers.present().contains(event.suspect())) {
      refused.computeIfAbsent(event.suspect(), name -> new HashSet<>()).add(self);
      ActorRef<Seen> answers = getContext().getSelf().narrow();
      for (String other : peers.present()) {
        if (!other.equals(event.suspect())) {
          peers.tell(other, new LookAt(event.suspect(), answers));
        }
      }
    }
    return this;
  }

  private Behavior<Command> onSeen(Seen answer) {
    Set<String> by = refused.get(answer.suspect());
    if (by == null || !answer.refused()) {
      return this; // it has answered meanwhile, or listens
    }
    by.add(answer.by());
    if (by.size() >= majority) {
      refused.remove(answer.suspect());
      getContext()
          .getLog()
          .warn(
              "coordinator {} is removed: its machine refuses connections to each of its ports",
              answer.suspect());
      peers.remove(answer.suspect());
    }
    return this;
  }
}
