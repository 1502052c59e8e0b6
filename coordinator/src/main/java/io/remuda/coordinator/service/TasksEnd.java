package io.remuda.coordinator.service;

import io.remuda.coordinator.api.CoordinatorCommand;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Cancels all that runs, waits until it has ended or its grace has passed, and has the nodes end.
 * It answers once and stops.
 */
final class TasksEnd {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration COUNT_EVERY = Duration.ofMillis(100);

  /** A message to this actor. */
  sealed interface Command {}

  /** The answer: the nodes were told to end. */
  enum NodesEnd {
    INSTANCE
  }

  private record Stopped(long longestGraceMillis) implements Command {}

  private enum Count implements Command {
    INSTANCE
  }

  private record Ending(int tasks) implements Command {}

  private final ActorContext<Command> context;
  private final ActorRef<CoordinatorCommand> coordinator;
  private final Duration grace;
  private final LongSupplier nanoClock;
  private final ActorRef<NodesEnd> replyTo;
  private long deadline;

  private TasksEnd(
      ActorContext<Command> context,
      ActorRef<CoordinatorCommand> coordinator,
      Duration grace,
      LongSupplier nanoClock,
      ActorRef<NodesEnd> replyTo) {
    this.context = context;
    this.coordinator = coordinator;
    this.grace = grace;
    this.nanoClock = nanoClock;
    this.replyTo = replyTo;
  }

  /**
   * Creates the behaviour.
   *
   * @param grace of the nodes, and added to that of the tasks
   * @param nanoClock monotonic clock in nanoseconds
   */
  static Behavior<Command> create(
      ActorRef<CoordinatorCommand> coordinator,
      CoordinatorCommand.Urgency urgency,
      Duration grace,
      LongSupplier nanoClock,
      ActorRef<NodesEnd> replyTo) {
    return Behaviors.setup(
        context -> new TasksEnd(context, coordinator, grace, nanoClock, replyTo).begin(urgency));
  }

  private Behavior<Command> begin(CoordinatorCommand.Urgency urgency) {
    context.ask(
        CoordinatorCommand.Stopped.class,
        coordinator,
        PATIENCE,
        answerTo -> new CoordinatorCommand.StopAll(urgency, answerTo),
        (answer, fault) -> new Stopped(fault == null ? answer.longestGraceMillis() : 0));
    return Behaviors.receive(Command.class)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Count.class, message -> count())
        .onMessage(Ending.class, this::onEnding)
        .build();
  }

  /** Without an answer, as on a full disk, the tasks still have a moment. */
  private Behavior<Command> onStopped(Stopped event) {
    deadline = nanoClock.getAsLong() + grace.plusMillis(event.longestGraceMillis()).toNanos();
    return count();
  }

  private Behavior<Command> count() {
    context.ask(
        Integer.class,
        coordinator,
        PATIENCE,
        CoordinatorCommand.CountEnding::new,
        (count, fault) -> new Ending(fault == null ? count : 0));
    return Behaviors.same();
  }

  /** The nodes end once no task is ending any more, so that each end is reported as what it is. */
  private Behavior<Command> onEnding(Ending event) {
    if (event.tasks() > 0 && nanoClock.getAsLong() - deadline < 0) {
      context.scheduleOnce(COUNT_EVERY, context.getSelf(), Count.INSTANCE);
      return Behaviors.same();
    }
    coordinator.tell(new CoordinatorCommand.EndNodes("the server is stopped", grace));
    replyTo.tell(NodesEnd.INSTANCE);
    return Behaviors.stopped();
  }
}
