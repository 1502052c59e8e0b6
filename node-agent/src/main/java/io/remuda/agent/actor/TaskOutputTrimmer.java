package io.remuda.agent.actor;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.output.FallocateHolePuncher;
import io.remuda.agent.output.OutputLimit;
import io.remuda.agent.output.OutputTrimmer;
import io.remuda.agent.settings.AgentSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Trims the output of each task every second, and once more after its end. Blocks. */
final class TaskOutputTrimmer extends AbstractBehavior<TaskOutputTrimmer.Command> {

  /** Dispatcher for this actor. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** A command to this actor. */
  sealed interface Command {}

  /** Trims the output that an ended task has written since the last look. */
  record Ended(TaskFolder folder) implements Command {}

  /** Trims the output of all running tasks. */
  enum Look implements Command {
    INSTANCE
  }

  private final AgentSettings settings;
  private final OutputTrimmer trimmer;

  private TaskOutputTrimmer(
      ActorContext<Command> context, TimerScheduler<Command> timers, AgentSettings settings) {
    super(context);
    this.settings = settings;
    OutputLimit limit =
        OutputLimit.from(context.getSystem().settings().config().getConfig("remuda.agent"));
    this.trimmer =
        new OutputTrimmer(
            limit, new FallocateHolePuncher(), warning -> context.getLog().warn("{}", warning));
    timers.startTimerWithFixedDelay(Look.INSTANCE, PERIOD);
  }

  static Behavior<Command> create(AgentSettings settings) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new TaskOutputTrimmer(context, timers, settings)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Look.class, message -> onLook())
        .onMessage(Ended.class, this::onEnded)
        .build();
  }

  private Behavior<Command> onLook() {
    Collection<TaskFolder> folders = TaskFolder.open(settings).values();
    Set<Path> files = new HashSet<>();
    folders.forEach(folder -> files.addAll(folder.outputs()));
    trimmer.retain(files);
    files.forEach(trimmer::trim);
    return this;
  }

  private Behavior<Command> onEnded(Ended event) {
    event.folder().outputs().forEach(trimmer::trim);
    return this;
  }
}
