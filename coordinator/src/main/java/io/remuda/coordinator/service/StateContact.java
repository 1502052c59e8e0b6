package io.remuda.coordinator.service;

import io.remuda.coordinator.cluster.DatabaseReachability;
import io.remuda.coordinator.store.StoreReader;
import java.io.IOException;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Reads a row of the state once a second in a server that is alone, so that it is known whether the
 * state is reached; members of a cluster know that from {@link UserRefresh}. It blocks, on a
 * dispatcher for that.
 */
final class StateContact {

  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration EVERY = Duration.ofSeconds(1);

  /** A message to this actor. */
  enum Command {
    READ
  }

  private StateContact() {}

  /** Creates the behaviour. */
  static Behavior<Command> create(StoreReader reader, DatabaseReachability contact) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerWithFixedDelay(Command.READ, Duration.ZERO, EVERY);
          return Behaviors.receiveMessage(
              message -> {
                read(reader, contact);
                return Behaviors.same();
              });
        });
  }

  private static void read(StoreReader reader, DatabaseReachability contact) {
    try {
      reader.query("SELECT value FROM meta WHERE key = 'epoch'", row -> row.getString(1));
      contact.reached();
    } catch (IOException away) {
      // the next look follows
    }
  }
}
