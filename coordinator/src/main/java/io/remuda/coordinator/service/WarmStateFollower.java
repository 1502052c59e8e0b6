package io.remuda.coordinator.service;

import io.remuda.coordinator.commit.TakeOverRehearsal;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.warm.WarmState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Keeps the live jobs of a shared state read ahead, on a member that does not lead. It blocks, on a
 * dispatcher for that. While the database is away it tries again each second: what is missing is
 * read when this member is to lead.
 */
final class WarmStateFollower extends AbstractBehavior<WarmStateFollower.Command> {

  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(100);

  /** A message to this actor. */
  enum Command {
    FOLLOW
  }

  private final TimerScheduler<Command> timers;
  private final DatabaseBackend database;
  private final WarmState warm;
  private final TakeOverRehearsal rehearsal;
  private Connection connection;

  private WarmStateFollower(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      DatabaseBackend database,
      WarmState warm,
      TakeOverRehearsal rehearsal) {
    super(context);
    this.timers = timers;
    this.database = database;
    this.warm = warm;
    this.rehearsal = rehearsal;
    timers.startSingleTimer(Command.FOLLOW, EVERY);
  }

  /** Creates the behaviour. */
  static Behavior<Command> create(
      DatabaseBackend database, WarmState warm, TakeOverRehearsal rehearsal) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new WarmStateFollower(context, timers, database, warm, rehearsal)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessageEquals(Command.FOLLOW, this::onFollow)
        .onSignal(
            PostStop.class,
            signal -> {
              drop();
              return this;
            })
        .build();
  }

  private Behavior<Command> onFollow() {
    WarmState.Progress progress = WarmState.Progress.UP_TO_DATE;
    try {
      if (connection == null) {
        connection = database.connectToRead();
      }
      progress = warm.follow(connection);
      if (progress == WarmState.Progress.UP_TO_DATE) {
        rehearsal.runIfDue(warm, connection);
      }
    } catch (SQLException away) {
      getContext().getLog().debug("the state cannot be read ahead", away);
      drop();
    }
    if (progress == WarmState.Progress.OVER) {
      return Behaviors.stopped(); // which drops the connection
    }
    timers.startSingleTimer(Command.FOLLOW, progress == WarmState.Progress.MORE ? SOON : EVERY);
    return this;
  }

  private void drop() {
    try (Connection own = connection) {
      connection = null;
    } catch (SQLException gone) {
      getContext().getLog().debug("a connection that was lost", gone);
    }
  }
}
