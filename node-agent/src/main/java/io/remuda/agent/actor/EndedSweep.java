package io.remuda.agent.actor;

import io.remuda.agent.output.EndedFolders;
import io.remuda.agent.output.EndedLimit;
import io.remuda.agent.settings.AgentSettings;
import java.time.Clock;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Removes, at its start and every hour, what ended tasks have left for too long or too much of it;
 * within a minute if there are too many of them. It blocks.
 */
final class EndedSweep {

  /** Where this actor is to run. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration PERIOD = Duration.ofHours(1);
  private static final Duration COUNT_PERIOD = Duration.ofMinutes(1);

  /** What it is told. */
  enum Command {
    SWEEP,
    /** Sweep only if there are too many: short tasks leave thousands in a minute. */
    COUNT
  }

  private EndedSweep() {}

  static Behavior<Command> create(AgentSettings settings, Clock clock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  EndedLimit limit =
                      EndedLimit.from(
                          context.getSystem().settings().config().getConfig("remuda.agent"));
                  EndedFolders folders =
                      new EndedFolders(TaskFolder.allEnded(settings), limit, clock);
                  timers.startTimerWithFixedDelay(Command.SWEEP, Duration.ZERO, PERIOD);
                  timers.startTimerWithFixedDelay(Command.COUNT, COUNT_PERIOD, COUNT_PERIOD);
                  return Behaviors.receive(Command.class)
                      .onMessageEquals(Command.SWEEP, () -> sweep(context, folders))
                      .onMessageEquals(
                          Command.COUNT,
                          () -> folders.areTooMany() ? sweep(context, folders) : Behaviors.same())
                      .build();
                }));
  }

  private static Behavior<Command> sweep(ActorContext<Command> context, EndedFolders folders) {
    EndedFolders.Swept swept = folders.sweep();
    if (swept.folders() > 0) {
      context
          .getLog()
          .info("removed {} of {} ended tasks", swept.bytes() + " bytes", swept.folders());
    }
    swept.faults().forEach(fault -> context.getLog().warn("cannot remove {}", fault));
    return Behaviors.same();
  }
}
