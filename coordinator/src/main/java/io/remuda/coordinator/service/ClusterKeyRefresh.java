package io.remuda.coordinator.service;

import io.remuda.coordinator.cluster.KeyReload;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a member look every two seconds for a new key. It blocks, on a dispatcher for that. */
final class ClusterKeyRefresh {

  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Logger LOG = LoggerFactory.getLogger(ClusterKeyRefresh.class);
  private static final Duration EVERY = Duration.ofSeconds(2);

  /** A message to this actor. */
  enum Command {
    LOOK
  }

  private ClusterKeyRefresh() {}

  /** Creates the behaviour. */
  static Behavior<Command> create(KeyReload keys) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerWithFixedDelay(Command.LOOK, EVERY);
          return Behaviors.receiveMessage(
              message -> {
                keys.look().ifPresent(LOG::warn);
                return Behaviors.same();
              });
        });
  }
}
