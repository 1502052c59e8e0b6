package io.remuda.agent.actor;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.attempt.UninterpretedAttemptEnd;
import io.remuda.agent.attempt.WorkerLink;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.ToWorker;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Supervises one attempt of a built-in worker: connects to the worker's socket, passes messages
 * both ways, and ends a worker that is silent for too long. It blocks, so it runs on the blocking
 * dispatcher.
 */
public final class BuiltInWorkerSupervisor
    extends AbstractBehavior<BuiltInWorkerSupervisor.Command> {

  /** Dispatcher for this actor. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration CHECK = Duration.ofMillis(200);

  /** A command to a supervisor. */
  public sealed interface Command {}

  /** Passes a message to the worker. */
  record Tell(ToWorker message) implements Command {}

  /** Ends the attempt. */
  record End(String cause) implements Command {}

  /** The keeper reports that nothing of the attempt is left. */
  record Exited(ExitRecord exit) implements Command {}

  /** The keeper is gone and its tasks were killed. */
  record KeeperGone(String cause) implements Command {}

  /** The keeper has answered the request to start the attempt, or already has it. */
  record Answered(SpawnAnswer answer) implements Command {}

  /** The keeper was joined again and does not have the attempt. */
  record Missed(String cause) implements Command {}

  private record Heard(FromWorker frame) implements Command {}

  /**
   * A link to the worker has ended.
   *
   * @param number of the link, from 1
   */
  private record Unlinked(int number) implements Command {}

  private enum Check implements Command {
    INSTANCE
  }

  /** The settings, actors and clock that a supervisor uses. */
  record Surroundings(
      AgentSettings settings,
      ActorRef<NodeAgentCommand> agent,
      ActorRef<KeeperConnectionActor.Command> keeper,
      LongSupplier nanoClock) {

    private LocalAttempt.Effects effects() {
      return new LocalAttempt.Effects() {
        @Override
        public void end(AttemptId attempt, WayOut way, EndingSignal chosen) {
          keeper.tell(KeeperConnectionActor.Kill.of(attempt, way, chosen, settings));
        }

        @Override
        public void changed(TaskReport report) {
          agent.tell(new NodeAgentCommand.TaskChanged(report));
        }

        @Override
        public Optional<TaskEnd> readEnd(AttemptId attempt, UninterpretedAttemptEnd unread) {
          return Optional.of(unread.read(TaskFolder.of(settings, attempt)));
        }
      };
    }
  }

  private final AttemptId id;
  private final TaskFolder folder;
  private final Surroundings around;
  private final LocalAttempt attempt;
  private WorkerLink link;

  /** Number of the newest link; late news of an earlier one concerns nothing. */
  private int links;

  private boolean heardOnce;
  private long lastHeard;

  private BuiltInWorkerSupervisor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      AttemptId id,
      Surroundings around) {
    super(context);
    this.id = id;
    this.around = around;
    this.folder = TaskFolder.of(around.settings(), id);
    this.attempt = new LocalAttempt(id, around.effects());
    this.lastHeard = around.nanoClock().getAsLong();
    timers.startTimerWithFixedDelay(Check.INSTANCE, CHECK);
  }

  /** Creates a supervisor that starts an attempt by the keeper of this connection. */
  static Behavior<Command> start(
      AttemptId attempt, long connection, SpawnRequest request, Surroundings around) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  BuiltInWorkerSupervisor supervisor =
                      new BuiltInWorkerSupervisor(context, timers, attempt, around);
                  around
                      .keeper()
                      .tell(new KeeperConnectionActor.Spawn(connection, attempt, request));
                  return supervisor;
                }));
  }

  /** Creates a supervisor for an attempt that the keeper had before this agent started. */
  static Behavior<Command> adopt(AttemptId attempt, TaskView view, Surroundings around) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  BuiltInWorkerSupervisor supervisor =
                      new BuiltInWorkerSupervisor(context, timers, attempt, around);
                  supervisor.attempt.known(view);
                  return supervisor;
                }));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Answered.class, event -> state(() -> attempt.answered(event.answer())))
        .onMessage(Heard.class, this::onHeard)
        .onMessage(Tell.class, this::onTell)
        .onMessage(End.class, command -> state(() -> attempt.end(command.cause())))
        .onMessage(Exited.class, event -> state(() -> attempt.exited(event.exit())))
        .onMessage(KeeperGone.class, event -> state(() -> attempt.keeperGone(event.cause())))
        .onMessage(Missed.class, event -> state(() -> missed(event.cause())))
        .onMessage(Unlinked.class, event -> event.number() == links ? onUnlinked() : this)
        .onMessage(Check.class, message -> onCheck())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private void missed(String cause) {
    if (!attempt.isOver()) {
      attempt.missed(cause);
    }
  }

  private Behavior<Command> onHeard(Heard event) {
    heardOnce = true;
    lastHeard = around.nanoClock().getAsLong();
    if (event.frame() instanceof FromWorker.Happened happened) {
      around
          .agent()
          .tell(new NodeAgentCommand.TaskHappened(id, happened.sequence(), happened.event()));
    } else if (event.frame() instanceof FromWorker.Alive alive) {
      attempt.progressed(new TaskProgress(alive.done(), alive.total(), alive.phase()));
    }
    return this;
  }

  private Behavior<Command> onTell(Tell command) {
    if (link != null) {
      try {
        link.send(command.message());
      } catch (IOException gone) {
        onUnlinked(); // the sender repeats the message
      }
    }
    return this;
  }

  private Behavior<Command> state(Runnable change) {
    change.run();
    return attempt.isOver() ? onUnlinked() : this;
  }

  private Behavior<Command> onCheck() {
    if (attempt.phase() != TaskPhase.RUNNING) {
      return this;
    }
    if (link == null) {
      join();
    }
    Duration limit =
        heardOnce
            ? around.settings().timing().workerSilence()
            : around.settings().timing().workerStart();
    if (around.nanoClock().getAsLong() - lastHeard > limit.toNanos()) {
      attempt.end("silent for " + limit.toSeconds() + " s");
    }
    return this;
  }

  private void join() {
    ActorRef<Command> self = getContext().getSelf();
    int number = ++links;
    try {
      link =
          WorkerLink.connect(
              folder.path(),
              frame -> self.tell(new Heard(frame)),
              () -> self.tell(new Unlinked(number)));
    } catch (IOException notListeningYet) {
      getContext().getLog().debug("{}: {}", id, notListeningYet.toString());
    }
  }

  private Behavior<Command> onUnlinked() {
    if (link != null) {
      link.close();
      link = null;
    }
    return this;
  }

  private Behavior<Command> onStop() {
    return onUnlinked();
  }
}
