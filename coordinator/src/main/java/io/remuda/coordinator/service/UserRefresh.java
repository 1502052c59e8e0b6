package io.remuda.coordinator.service;

import io.remuda.coordinator.cluster.DatabaseReachability;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.rest.UserTokenRegistry;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.UserRow;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Reads the users once a second on each member: one that does not lead learns their tokens so, and
 * each whether it reaches the database. It blocks, on a dispatcher for that.
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
      StoreReader reader,
      UserTokenRegistry tokens,
      String owner,
      KnownLeader leader,
      DatabaseReachability contact) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerWithFixedDelay(Command.READ, Duration.ZERO, EVERY);
          return Behaviors.receiveMessage(
              message -> {
                read(reader, tokens, owner, leader, contact);
                return Behaviors.same();
              });
        });
  }

  private static void read(
      StoreReader reader,
      UserTokenRegistry tokens,
      String owner,
      KnownLeader leader,
      DatabaseReachability contact) {
    try {
      List<UserRow> users = reader.users();
      contact.reached();
      for (UserRow user : users) {
        if (!user.name().equals(owner) && leader.coordinator().isEmpty()) {
          tokens.add(user, false);
        }
      }
    } catch (IOException away) {
      // the database is away: those known stay, and the next look follows
    }
  }
}
