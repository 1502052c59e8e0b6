package io.remuda.agent.actor;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
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
 * One attempt on this node, from its order, or from its adoption after a restart of the agent, to
 * its end: asks the keeper for the process, joins the worker's socket, passes messages both ways,
 * and ends a worker that has gone silent. It blocks, so it runs on the blocking dispatcher.
 */
public final class JobSupervisor extends AbstractBehavior<JobSupervisor.Command> {

  /** Where this actor is to run. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  private static final Duration CHECK = Duration.ofMillis(200);

  /** What a supervisor is told. */
  public sealed interface Command {}

  /** Pass on to the worker. */
  record Tell(ToWorker message) implements Command {}

  /** End the attempt. */
  record End(String cause) implements Command {}

  /** The keeper says that nothing of the attempt is left. */
  record Exited(ExitRecord exit) implements Command {}

  /** The keeper is gone and what it held was ended. */
  record KeeperGone(String cause) implements Command {}

  private record Answered(SpawnAnswer answer) implements Command {}

  private record Heard(FromWorker frame) implements Command {}

  private enum Unlinked implements Command {
    INSTANCE
  }

  private enum Check implements Command {
    INSTANCE
  }

  /** What a supervisor works with. */
  record Surroundings(
      AgentSettings settings,
      ActorRef<NodeAgent.Command> agent,
      ActorRef<KeeperPort.Command> keeper,
      LongSupplier nanoClock) {}

  private final AttemptId attempt;
  private final TaskFolder folder;

  /** Whether it is a built-in worker, which is spoken with; a command is left in peace. */
  private final boolean isWorker;

  private final Surroundings around;

  private TaskPhase phase = TaskPhase.STARTING;
  private long pid;
  private TaskProgress progress;
  private TaskEnd end;
  private String endCause;
  private WorkerLink link;
  private boolean heardOnce;
  private long lastHeard;

  private JobSupervisor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      AttemptId attempt,
      Surroundings around) {
    super(context);
    this.attempt = attempt;
    this.around = around;
    this.folder = TaskFolder.of(around.settings(), attempt);
    this.isWorker = folder.isWorker();
    this.lastHeard = around.nanoClock().getAsLong();
    if (isWorker) {
      timers.startTimerWithFixedDelay(Check.INSTANCE, CHECK);
    }
  }

  /** Starts an attempt. */
  static Behavior<Command> start(AttemptId attempt, SpawnRequest request, Surroundings around) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  JobSupervisor supervisor = new JobSupervisor(context, timers, attempt, around);
                  around
                      .keeper()
                      .tell(
                          new KeeperPort.Spawn(
                              request, context.messageAdapter(SpawnAnswer.class, Answered::new)));
                  return supervisor;
                }));
  }

  /** Takes over an attempt that a keeper held before this agent was there. */
  static Behavior<Command> adopt(AttemptId attempt, TaskView view, Surroundings around) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  JobSupervisor supervisor = new JobSupervisor(context, timers, attempt, around);
                  supervisor.known(view);
                  return supervisor;
                }));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Answered.class, this::onAnswered)
        .onMessage(Heard.class, this::onHeard)
        .onMessage(Tell.class, this::onTell)
        .onMessage(End.class, this::onEnd)
        .onMessage(Exited.class, this::onExited)
        .onMessage(KeeperGone.class, this::onKeeperGone)
        .onMessage(Unlinked.class, message -> onUnlinked())
        .onMessage(Check.class, message -> onCheck())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<Command> onAnswered(Answered event) {
    if (isOver()) {
      return this;
    }
    if (event.answer() instanceof SpawnAnswer.Started started) {
      pid = started.pid();
      if (endCause == null) {
        become(TaskPhase.RUNNING);
      } else {
        kill();
      }
    } else if (event.answer() instanceof SpawnAnswer.Known known) {
      known(known.task());
      if (endCause != null && phase == TaskPhase.RUNNING) {
        kill();
      }
    } else if (event.answer() instanceof SpawnAnswer.Refused refused) {
      end = TaskEnds.refused(refused);
      become(TaskPhase.REFUSED);
    }
    return this;
  }

  private void known(TaskView view) {
    pid = view.pid();
    switch (view.state()) {
      case RUNNING -> become(TaskPhase.RUNNING);
      case ENDING -> become(TaskPhase.ENDING);
      case EXITED -> exited(view.exit());
    }
  }

  private Behavior<Command> onHeard(Heard event) {
    heardOnce = true;
    lastHeard = around.nanoClock().getAsLong();
    if (event.frame() instanceof FromWorker.Happened happened) {
      around
          .agent()
          .tell(new NodeAgent.TaskHappened(attempt, happened.sequence(), happened.event()));
    } else if (event.frame() instanceof FromWorker.Alive alive) {
      progress = new TaskProgress(alive.done(), alive.total(), alive.phase());
      report();
    }
    return this;
  }

  private Behavior<Command> onTell(Tell command) {
    if (link != null) {
      try {
        link.send(command.message());
      } catch (IOException gone) {
        onUnlinked(); // the message is repeated by whoever sent it
      }
    }
    return this;
  }

  private Behavior<Command> onEnd(End command) {
    if (phase == TaskPhase.STARTING || phase == TaskPhase.RUNNING) {
      endCause = command.cause();
      if (phase == TaskPhase.RUNNING) {
        kill();
      }
    }
    return this;
  }

  private void kill() {
    around
        .keeper()
        .tell(
            new KeeperPort.Kill(
                around.settings().keyPrefix() + attempt,
                around.settings().timing().grace().toMillis()));
    become(TaskPhase.ENDING);
  }

  private Behavior<Command> onExited(Exited event) {
    if (!isOver()) {
      exited(event.exit());
    }
    return this;
  }

  private void exited(ExitRecord exit) {
    end = TaskEnds.of(exit, endCause, folder);
    become(TaskPhase.ENDED);
  }

  private Behavior<Command> onKeeperGone(KeeperGone event) {
    if (!isOver()) {
      end = TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "keeper lost: " + event.cause());
      become(TaskPhase.ENDED);
    }
    return this;
  }

  private boolean isOver() {
    return phase == TaskPhase.ENDED || phase == TaskPhase.REFUSED;
  }

  private Behavior<Command> onCheck() {
    if (phase != TaskPhase.RUNNING) {
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
      endCause = "silent for " + limit.toSeconds() + " s";
      kill();
    }
    return this;
  }

  private void join() {
    ActorRef<Command> self = getContext().getSelf();
    try {
      link =
          WorkerLink.connect(
              folder.path(),
              frame -> self.tell(new Heard(frame)),
              () -> self.tell(Unlinked.INSTANCE));
    } catch (IOException notListeningYet) {
      getContext().getLog().debug("{}: {}", attempt, notListeningYet.toString());
    }
  }

  private Behavior<Command> onUnlinked() {
    if (link != null) {
      link.close();
      link = null;
    }
    return this;
  }

  private void become(TaskPhase next) {
    phase = next;
    if (isOver()) {
      onUnlinked();
    }
    report();
  }

  private void report() {
    around
        .agent()
        .tell(new NodeAgent.TaskChanged(new TaskReport(attempt, phase, pid, progress, end)));
  }

  private Behavior<Command> onStop() {
    return onUnlinked();
  }
}
