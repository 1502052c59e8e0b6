package io.remuda.agent.actor;

import io.remuda.agent.attempt.SmallJsonFiles;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.clock.TrustedTime;
import io.remuda.agent.output.EndedTaskFolders;
import io.remuda.agent.output.TaskRetentionLimit;
import io.remuda.agent.settings.AgentSettings;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Removes folders of ended tasks that exceed the limit, at its start and every hour; within a
 * minute if there are too many of them. Blocks.
 */
final class EndedTaskFolderSweep {

  /** Dispatcher for this actor. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration PERIOD = Duration.ofHours(1);
  private static final Duration COUNT_PERIOD = Duration.ofMinutes(1);

  /** File in the node's folder with the state of {@link TrustedTime}. */
  private static final String CLOCK = "clock";

  /** A command to this actor. */
  enum Command {
    SWEEP,
    /** Sweeps only if there are too many folders: short tasks leave thousands in a minute. */
    COUNT
  }

  private EndedTaskFolderSweep() {}

  static Behavior<Command> create(AgentSettings settings, Clock clock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  TaskRetentionLimit limit =
                      TaskRetentionLimit.from(
                          context.getSystem().settings().config().getConfig("remuda.agent"));
                  EndedTaskFolders folders =
                      new EndedTaskFolders(TaskFolder.allEnded(settings), limit, clock);
                  TrustedTime time = new TrustedTime(known(settings));
                  timers.startTimerWithFixedDelay(Command.SWEEP, Duration.ZERO, PERIOD);
                  timers.startTimerWithFixedDelay(Command.COUNT, COUNT_PERIOD, COUNT_PERIOD);
                  return Behaviors.receive(Command.class)
                      .onMessageEquals(
                          Command.SWEEP,
                          () -> sweep(context, folders, look(context, settings, time, clock)))
                      .onMessageEquals(
                          Command.COUNT,
                          () ->
                              folders.areTooMany()
                                  ? sweep(context, folders, look(context, settings, time, clock))
                                  : Behaviors.same())
                      .build();
                }));
  }

  /**
   * Reads the last known time. Without a note it is the modification time of the folder of ended
   * tasks, which is the last end of a task.
   */
  private static TrustedTime.ClockReading known(AgentSettings settings) {
    long lastEnd = TaskFolder.allEnded(settings).toFile().lastModified();
    return SmallJsonFiles.read(settings.folder(), CLOCK, TrustedTime.ClockReading.class)
        .orElseGet(() -> new TrustedTime.ClockReading(lastEnd, 0, 0));
  }

  /** Reads the clock and saves its state for the next agent. */
  private static Instant look(
      ActorContext<Command> context, AgentSettings settings, TrustedTime time, Clock clock) {
    TrustedTime.ClockReading known = time.look(clock.millis(), System.nanoTime());
    Instant trusted = Instant.ofEpochMilli(known.seen());
    if (known.inDoubt()) {
      context
          .getLog()
          .warn(
              "the clock shows {}, but it should be about {}: ended tasks are removed by the latter"
                  + " until the clock has run evenly for a day",
              clock.instant(),
              trusted);
    }
    try {
      SmallJsonFiles.write(settings.folder(), CLOCK, known);
    } catch (IOException fault) {
      context.getLog().warn("cannot save the time: {}", fault.toString());
    }
    return trusted;
  }

  private static Behavior<Command> sweep(
      ActorContext<Command> context, EndedTaskFolders folders, Instant trusted) {
    EndedTaskFolders.Swept swept = folders.sweep(trusted);
    if (swept.folders() > 0) {
      context
          .getLog()
          .info("removed {} of {} ended tasks", swept.bytes() + " bytes", swept.folders());
    }
    swept.faults().forEach(fault -> context.getLog().warn("cannot remove {}", fault));
    return Behaviors.same();
  }
}
