package io.remuda.coordinator.service;

import io.remuda.coordinator.cluster.LeaderState;
import io.remuda.coordinator.rest.BearerTokens;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.UserRow;
import java.io.IOException;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Reads the users once a second on a member that does not lead, so that it knows their tokens. It
 * blocks, on a dispatcher for that.
 */
final class UserRefresh {

  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration EVERY = Duration.ofSeconds(1);

  /** A message to this actor. */
  enum Command {
    READ
  }

  private UserRefresh() {}

  /** Creates the behaviour. */
  static Behavior<Command> create(
      StoreReader reader, BearerTokens tokens, String owner, LeaderState leader) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerWithFixedDelay(Command.READ, Duration.ZERO, EVERY);
          return Behaviors.receiveMessage(
              message -> {
                if (leader.coordinator().isEmpty() && leader.notice().isPresent()) {
                  read(reader, tokens, owner);
                }
                return Behaviors.same();
              });
        });
  }

  private static void read(StoreReader reader, BearerTokens tokens, String owner) {
    try {
      for (UserRow user : reader.users()) {
        if (!user.name().equals(owner)) {
          tokens.add(user, false);
        }
      }
    } catch (IOException away) {
      // the database is away: those known stay, and the next look follows
    }
  }
}
