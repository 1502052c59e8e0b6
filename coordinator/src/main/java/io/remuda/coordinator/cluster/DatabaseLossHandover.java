package io.remuda.coordinator.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Hands the leadership over when this member leads, or is to lead, and cannot reach the database
 * while another member can. If none can, it stays: another leader would have to wait, too.
 */
public final class DatabaseLossHandover extends AbstractBehavior<DatabaseLossHandover.Command> {

  static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** A database that is started again is back by then, for all members. */
  static final Duration PATIENCE = Duration.ofSeconds(6);

  /** A message to the watch. */
  public sealed interface Command {}

  private enum Look implements Command {
    INSTANCE
  }

  private record Asked(boolean anotherReaches) implements Command {}

  private final KnownLeader leader;
  private final DatabaseReachability contact;
  private final PeerDatabaseProbe others;
  private final MembershipPort membership;
  private final LongSupplier nanoClock;
  private boolean lost;
  private boolean asking;
  private long lostSince;

  private DatabaseLossHandover(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      KnownLeader leader,
      DatabaseReachability contact,
      PeerDatabaseProbe others,
      MembershipPort membership,
      LongSupplier nanoClock) {
    super(context);
    this.leader = leader;
    this.contact = contact;
    this.others = others;
    this.membership = membership;
    this.nanoClock = nanoClock;
    timers.startTimerWithFixedDelay(Look.INSTANCE, LOOK_EVERY);
  }

  /**
   * Creates the behaviour.
   *
   * @param nanoClock monotonic clock in nanoseconds
   */
  public static Behavior<Command> create(
      LocalMemberConfig member,
      KnownLeader leader,
      DatabaseReachability contact,
      MembershipPort membership,
      LongSupplier nanoClock) {
    return create(leader, contact, new MemberProbe(member), membership, nanoClock);
  }

  static Behavior<Command> create(
      KnownLeader leader,
      DatabaseReachability contact,
      PeerDatabaseProbe others,
      MembershipPort membership,
      LongSupplier nanoClock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new DatabaseLossHandover(
                        context, timers, leader, contact, others, membership, nanoClock)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Look.class, message -> onLook())
        .onMessage(Asked.class, this::onAsked)
        .build();
  }

  private Behavior<Command> onLook() {
    boolean leads = leader.coordinator().isPresent() || leader.obstacle().isPresent();
    if (!leads || contact.isReached()) {
      lost = false;
      return this;
    }
    long now = nanoClock.getAsLong();
    if (!lost) {
      lost = true;
      lostSince = now;
    }
    if (!asking && now - lostSince >= PATIENCE.toNanos()) {
      asking = true;
      getContext()
          .pipeToSelf(
              others.oneReachesState(),
              (reaches, fault) -> new Asked(fault == null && Boolean.TRUE.equals(reaches)));
    }
    return this;
  }

  private Behavior<Command> onAsked(Asked event) {
    asking = false;
    boolean still = lost && !contact.isReached();
    if (!still || !event.anotherReaches()) {
      return this;
    }
    Optional<String> refusal = membership.handOver();
    if (refusal.isEmpty()) {
      getContext()
          .getLog()
          .warn("this coordinator does not reach the database, another does: it hands over");
      return Behaviors.stopped();
    }
    getContext().getLog().debug("not handed over: {}", refusal.get());
    return this;
  }
}
