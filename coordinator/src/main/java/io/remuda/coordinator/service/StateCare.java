package io.remuda.coordinator.service;

import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.Retention;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Looks after the state of the leader: removes old jobs that have ended, at once and every hour,
 * and logs when commits begin to wait for the disk or the database, and when they no longer do.
 */
final class StateCare {

  private static final Duration TIDY_EVERY = Duration.ofHours(1);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** A message to this actor. */
  sealed interface Command {}

  private enum Tidy implements Command {
    INSTANCE
  }

  private enum Look implements Command {
    INSTANCE
  }

  private record Tidied(int jobs, String fault) implements Command {}

  private final ActorContext<Command> context;
  private final JournalWriter journal;
  private final Retention retention;
  private final Clock clock;
  private final LongSupplier nanoClock;
  private boolean standsStill;

  private StateCare(
      ActorContext<Command> context,
      JournalWriter journal,
      Retention retention,
      Clock clock,
      LongSupplier nanoClock) {
    this.context = context;
    this.journal = journal;
    this.retention = retention;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /** Creates the behaviour. */
  static Behavior<Command> create(
      JournalWriter journal, Retention retention, Clock clock, LongSupplier nanoClock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new StateCare(context, journal, retention, clock, nanoClock).begin(timers)));
  }

  private Behavior<Command> begin(TimerScheduler<Command> timers) {
    timers.startTimerWithFixedDelay(Tidy.INSTANCE, Duration.ZERO, TIDY_EVERY);
    timers.startTimerWithFixedDelay(Look.INSTANCE, Duration.ZERO, LOOK_EVERY);
    return Behaviors.receive(Command.class)
        .onMessage(Tidy.class, message -> onTidy())
        .onMessage(Tidied.class, this::onTidied)
        .onMessage(Look.class, message -> onLook())
        .build();
  }

  private Behavior<Command> onTidy() {
    context.pipeToSelf(
        journal.tidy(retention, clock.millis(), nanoClock.getAsLong()),
        (jobs, fault) ->
            fault == null ? new Tidied(jobs, null) : new Tidied(0, String.valueOf(root(fault))));
    return Behaviors.same();
  }

  private static String root(Throwable fault) {
    Throwable root = fault;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }

  private Behavior<Command> onTidied(Tidied event) {
    if (event.fault() != null) {
      context
          .getLog()
          .warn("old jobs cannot be removed now; next try within an hour: {}", event.fault());
    } else {
      context.getLog().info("{} old jobs were removed", event.jobs());
    }
    return Behaviors.same();
  }

  private Behavior<Command> onLook() {
    Optional<String> now = journal.standstill();
    if (now.isPresent() && !standsStill) {
      context
          .getLog()
          .warn("{}: changes of the state wait for it; running tasks continue", now.get());
    } else if (now.isEmpty() && standsStill) {
      context.getLog().warn("the state can be written again");
    }
    standsStill = now.isPresent();
    return Behaviors.same();
  }
}
