package io.remuda.coordinator.slurm;

import io.remuda.coordinator.launch.RunAgents;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Says once that the allocation is to be left, some time before it ends, and stops. It asks Slurm
 * at least once a minute, and blocks meanwhile.
 */
public final class AllocationEndWatcher {

  /** Dispatcher for this actor. */
  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** A message to this actor. */
  public enum Command {
    /** It is time to ask Slurm. */
    LOOK
  }

  /**
   * What Slurm says of the allocation, each time that it is asked.
   *
   * @param left time until it is to be left; empty without a limit
   */
  public record Lasts(Optional<Duration> left) {}

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final SlurmStepAgents agents;
  private final AllocationDeadline deadline;
  private final LongSupplier nanoClock;
  private final ActorRef<Lasts> lasts;
  private final ActorRef<RunAgents.Trouble> trouble;

  private AllocationEndWatcher(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      SlurmStepAgents agents,
      AllocationDeadline deadline,
      LongSupplier nanoClock,
      ActorRef<Lasts> lasts,
      ActorRef<RunAgents.Trouble> trouble) {
    this.context = context;
    this.timers = timers;
    this.agents = agents;
    this.deadline = deadline;
    this.nanoClock = nanoClock;
    this.lasts = lasts;
    this.trouble = trouble;
  }

  /**
   * Creates the behaviour.
   *
   * @param margin time before the allocation's end at which it is to be left
   * @param nanoClock monotonic clock in nanoseconds
   * @param lasts gets what Slurm says
   * @param trouble gets a {@link RunAgents.Revoked}
   */
  public static Behavior<Command> create(
      SlurmStepAgents agents,
      Duration margin,
      LongSupplier nanoClock,
      ActorRef<Lasts> lasts,
      ActorRef<RunAgents.Trouble> trouble) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new AllocationEndWatcher(
                            context,
                            timers,
                            agents,
                            new AllocationDeadline(margin),
                            nanoClock,
                            lasts,
                            trouble)
                        .watching()));
  }

  private Behavior<Command> watching() {
    context.getSelf().tell(Command.LOOK);
    return Behaviors.receive(Command.class).onMessage(Command.class, look -> onLook()).build();
  }

  private Behavior<Command> onLook() {
    boolean answered = true;
    try {
      AllocationTime time = agents.time();
      if (!time.running()) {
        return revoke("Slurm has ended the job");
      }
      deadline.learn(time.left(), now());
      lasts.tell(new Lasts(deadline.toMargin(now())));
    } catch (IOException silent) {
      context.getLog().warn("Slurm does not say when the job ends: {}", silent.getMessage());
      answered = false;
    }
    if (deadline.isDue(now())) {
      return revoke(
          "the Slurm job ends in " + deadline.left(now()).orElseThrow().toSeconds() + " s");
    }
    timers.startSingleTimer(Command.LOOK, deadline.untilNextLook(answered, now()));
    return Behaviors.same();
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private Behavior<Command> revoke(String cause) {
    trouble.tell(new RunAgents.Revoked(cause));
    return Behaviors.stopped();
  }

  /**
   * When a server in an allocation begins to end, and when it asks Slurm again how long that lasts:
   * a time limit can change. Times are nanoseconds of one monotonic clock. One thread.
   */
  static final class AllocationDeadline {

    /** Longest time between two questions. */
    static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    /** Time to the next question while Slurm does not answer. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final Duration margin;
    private Long endsAt; // null without a limit

    /**
     * @param margin time before the allocation's end at which the server begins to end
     */
    AllocationDeadline(Duration margin) {
      this.margin = margin;
    }

    /** Notes what Slurm says is left; empty without a limit. */
    void learn(Optional<Duration> left, long now) {
      endsAt = left.map(time -> now + time.toNanos()).orElse(null);
    }

    /** Returns what is left as far as is known; empty without a limit. */
    Optional<Duration> left(long now) {
      return Optional.ofNullable(endsAt).map(end -> Duration.ofNanos(Math.max(0, end - now)));
    }

    /**
     * Returns the time until the server is to end, 0 or less if it is due; empty without a limit.
     */
    Optional<Duration> toMargin(long now) {
      return left(now).map(time -> time.minus(margin));
    }

    /** Returns whether the server is to end now. */
    boolean isDue(long now) {
      return toMargin(now).filter(time -> time.isZero() || time.isNegative()).isPresent();
    }

    /** Returns the time until the next question. */
    Duration untilNextLook(boolean answered, long now) {
      Duration usual = answered ? LOOK_EVERY : LOOK_AGAIN;
      return toMargin(now).filter(time -> time.compareTo(usual) < 0).orElse(usual);
    }
  }
}
