package io.remuda.agent.actor;

import io.remuda.agent.clock.ContactDeadline;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.settings.AgentSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * How long this node goes on without contact to the coordinator: its contact deadline, the timer
 * for it, and what the keeper learns of it. Used only by the node agent's actor.
 */
final class ContactWatch {

  /** Contact deadline until the coordinator sets one. */
  private static final Duration FIRST_WORD = Duration.ofSeconds(30);

  private final TimerScheduler<NodeAgentCommand> timers;
  private final ActorRef<KeeperConnectionActor.Command> keeper;
  private final AgentSettings settings;
  private final LongSupplier nanoClock;
  private ContactDeadline deadline;
  private boolean stopped;

  /** Begins the first contact deadline. */
  ContactWatch(
      TimerScheduler<NodeAgentCommand> timers,
      ActorRef<KeeperConnectionActor.Command> keeper,
      AgentSettings settings,
      LongSupplier nanoClock) {
    this.timers = timers;
    this.keeper = keeper;
    this.settings = settings;
    this.nanoClock = nanoClock;
    begin(FIRST_WORD);
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  /** Begins a contact deadline of another length. */
  void begin(Duration length) {
    deadline = ContactDeadline.begin(length, now());
  }

  /** Renews the contact deadline; {@link NodeAgentCommand.ContactLost} comes when it passes. */
  void renew() {
    deadline = deadline.renew(now());
    timers.startSingleTimer(
        NodeAgentCommand.ContactLost.INSTANCE, Duration.ofMillis(remainingMillis()));
  }

  /** Returns the rest of the contact deadline; at least 0. */
  long remainingMillis() {
    return deadline.remainingMillis(now());
  }

  /** Returns whether the contact deadline has passed; false once it is stopped. */
  boolean isLost() {
    return !stopped && deadline.expired(now());
  }

  /** Passes the contact deadlines of tasks to the keeper; does nothing once it is stopped. */
  void tellKeeper(List<Kept> tasks) {
    if (!stopped) {
      DeadlineRenewalCalculator.of(tasks, deadline, settings.keyPrefix(), now())
          .forEach(keeper::tell);
    }
  }

  /** Stops it, because the node ends anyway. */
  void stop() {
    stopped = true;
  }
}
