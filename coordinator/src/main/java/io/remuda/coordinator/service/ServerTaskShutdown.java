package io.remuda.coordinator.service;

import io.remuda.coordinator.api.CoordinatorCommand;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Cancels all that runs or has it wait again, waits until it has ended or its grace has passed, and
 * has the nodes end. It answers once and stops.
 */
final class ServerTaskShutdown {

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
  private final ServerRootActor.EndTasks order;
  private final Duration grace;
  private final LongSupplier nanoClock;
  private long deadline;

  private ServerTaskShutdown(
      ActorContext<Command> context,
      ActorRef<CoordinatorCommand> coordinator,
      ServerRootActor.EndTasks order,
      Duration grace,
      LongSupplier nanoClock) {
    this.context = context;
    this.coordinator = coordinator;
    this.order = order;
    this.grace = grace;
    this.nanoClock = nanoClock;
  }

  /**
   * Creates the behaviour.
   *
   * @param grace of the nodes, and added to that of the tasks
   * @param nanoClock monotonic clock in nanoseconds
   */
  static Behavior<Command> create(
      ActorRef<CoordinatorCommand> coordinator,
      ServerRootActor.EndTasks order,
      Duration grace,
      LongSupplier nanoClock) {
    return Behaviors.setup(
        context -> new ServerTaskShutdown(context, coordinator, order, grace, nanoClock).begin());
  }

  private Behavior<Command> begin() {
    context.ask(
        CoordinatorCommand.Stopped.class,
        coordinator,
        PATIENCE,
        answerTo -> new CoordinatorCommand.StopAll(order.fate(), order.urgency(), answerTo),
        (answer, fault) -> new Stopped(fault == null ? answer.longestGraceMillis() : 0));
    return Behaviors.receive(Command.class)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Count.class, message -> count())
        .onMessage(Ending.class, this::onEnding)
        .build();
  }

  /** Without an answer, as on a full disk, the tasks still have a moment. */
  private Behavior<Command> onStopped(Stopped event) {
    Duration wanted = grace.plusMillis(event.longestGraceMillis());
    Duration given = wanted.compareTo(order.within()) < 0 ? wanted : order.within();
    deadline = nanoClock.getAsLong() + given.toNanos();
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
    order.replyTo().tell(NodesEnd.INSTANCE);
    return Behaviors.stopped();
  }
}
