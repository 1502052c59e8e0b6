package io.remuda.agent.actor;

import io.remuda.agent.keeper.AdoptRequest;
import io.remuda.agent.keeper.KeeperFailure;
import io.remuda.agent.keeper.KeeperUnresponsive;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperProcess;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.EndingTerms;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
 * The agent's connection to the keeper. Joins a running keeper or starts one, and replaces a keeper
 * that was killed or does not answer. Starting one takes time, so this actor has its own thread.
 * The keeper's answers and events reach the agent in the order in which the keeper sent them.
 */
public final class KeeperPort extends AbstractBehavior<KeeperPort.Command> {

  /** Dispatcher for this actor. */
  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.keeper-dispatcher");

  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration REST_AGAIN = Duration.ofSeconds(2);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(100);
  private static final Duration LONG_PAUSE = Duration.ofSeconds(5);

  /**
   * Number of failed joins in a row after which a live keeper is reported as silent, and is
   * replaced if a task must be ended.
   */
  private static final int MOST_FAILURES = 12;

  /** A command to the port. */
  public sealed interface Command {}

  /** The number that stands for no connection. */
  static final long NO_CONNECTION = 0;

  /**
   * Starts a process; {@code told} receives the answer, on a thread of the port or of its client.
   *
   * @param connection connection on which the agent has read the keeper's task list. On a later
   *     connection the request is refused, because the list read there may lack the attempt
   */
  public record Spawn(long connection, SpawnRequest request, Consumer<SpawnAnswer> told)
      implements Command {}

  /** Watches a running program; {@code told} as in {@link Spawn}. */
  public record Adopt(AdoptRequest request, Consumer<SpawnAnswer> told) implements Command {}

  /** Releases the devices of an adopted program. */
  public record Release(String key) implements Command {}

  /** Withdraws a request that waits for its slot. */
  public record Withdraw(String key) implements Command {}

  /** How long a task has between SIGTERM and SIGKILL. */
  public enum Grace {
    /** As long as its job has asked for. */
    OWN,
    /** The node's setting, at most: others lack what it holds. */
    SHORT,
    /** No time at all. */
    NONE
  }

  /** Ends a task's whole process tree, within its own grace or this one if that is shorter. */
  public record Kill(String key, long graceMillis) implements Command {

    static Kill of(AttemptId attempt, Grace grace, AgentSettings settings) {
      long most =
          switch (grace) {
            case OWN -> EndingTerms.MOST_GRACE_MILLIS;
            case SHORT -> settings.timing().grace().toMillis();
            case NONE -> 0;
          };
      return new Kill(settings.keyPrefix() + attempt, most);
    }
  }

  /** Sets the contact deadline of tasks to this time from now; 0 for none. */
  public record Renew(List<String> keys, long contactMillis) implements Command {}

  /** The coordinator has learned the ends of these tasks. */
  public record Forget(List<String> keys) implements Command {
    public Forget {
      keys = List.copyOf(keys);
    }
  }

  /** Ends every task and then the keeper. */
  public record Shutdown(long graceMillis) implements Command {}

  private enum Join implements Command {
    INSTANCE
  }

  private enum EndRest implements Command {
    INSTANCE
  }

  private record Disconnected(long connection, String cause, boolean unresponsive)
      implements Command {}

  private final TimerScheduler<Command> timers;
  private final AgentSettings settings;
  private final Distribution distribution;
  private final ActorRef<NodeAgent.Command> agent;
  private KeeperClient client;
  private long connection;
  private boolean ending;
  private Map<String, String> stays = Map.of();

  /** The keeper that was joined last; null if there is none or it was given up. */
  private KeeperProcess joined;

  private long joinedAt;

  /** Wait before the next join; null before the first. */
  private Duration pause;

  /** Wait before another keeper is started. */
  private Duration launchPause = SHORT_PAUSE;

  /** Number of failed joins in a row. */
  private int failures;

  /** Whether a task was to be ended while there was no connection. */
  private boolean isToEnd;

  /**
   * A keeper that was given up and may not have ended yet, for example because it waits for a dead
   * disk.
   */
  private KeeperProcess stuck;

  private KeeperPort(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      AgentSettings settings,
      Distribution distribution,
      ActorRef<NodeAgent.Command> agent) {
    super(context);
    this.timers = timers;
    this.settings = settings;
    this.distribution = distribution;
    this.agent = agent;
    context.getSelf().tell(Join.INSTANCE);
  }

  public static Behavior<Command> create(
      AgentSettings settings, Distribution distribution, ActorRef<NodeAgent.Command> agent) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new KeeperPort(context, timers, settings, distribution, agent)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Join.class, message -> onJoin())
        .onMessage(Spawn.class, this::onSpawn)
        .onMessage(Adopt.class, this::onAdopt)
        .onMessage(Release.class, command -> call(keeper -> keeper.release(command.key())))
        .onMessage(Withdraw.class, command -> call(keeper -> keeper.withdraw(command.key())))
        .onMessage(Kill.class, this::onKill)
        .onMessage(
            Renew.class,
            command -> call(keeper -> keeper.renew(command.keys(), command.contactMillis())))
        .onMessage(Forget.class, command -> call(keeper -> keeper.forget(command.keys())))
        .onMessage(Shutdown.class, this::onShutdown)
        .onMessage(EndRest.class, message -> onEndRest())
        .onMessage(Disconnected.class, this::onDisconnected)
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<Command> onJoin() {
    if (client != null || ending) {
      return this;
    }
    if (joined != null && joined.state() == KeeperProcess.State.GONE) {
      giveUp("it has ended"); // while there was no connection to notify us
      return this;
    }
    if (isStuck()) {
      getContext().scheduleOnce(AGAIN, getContext().getSelf(), Join.INSTANCE);
      return this;
    }
    long number = ++connection;
    try {
      tell(KeeperLaunch.ensureRunning(settings, distribution));
      launchPause = SHORT_PAUSE;
    } catch (IOException fault) {
      launchFailed(fault.getMessage());
      return this;
    }
    try {
      KeeperProcess process = KeeperLaunch.process(settings);
      client =
          KeeperClient.connect(KeeperLaunch.socket(settings), listener(number), process::state);
      joined = process;
      joinedAt = System.nanoTime();
      isToEnd = false;
      client.list(tasks -> agent.tell(new NodeAgent.KeeperReady(number, tasks)));
    } catch (KeeperClient.Refused other) {
      giveUp(other.getMessage());
    } catch (IOException | KeeperFailure fault) {
      failures++;
      lose(fault.toString(), false);
    }
    return this;
  }

  /** Handles a failed start. Each try starts a program, so the wait grows. */
  private void launchFailed(String cause) {
    lose(cause, false);
    if (joined == null) {
      agent.tell(new NodeAgent.KeeperMissing("no keeper can be started: " + cause));
      launchPause = longer(launchPause);
    }
  }

  private boolean isStuck() {
    return stuck != null && stuck.state() != KeeperProcess.State.GONE;
  }

  private KeeperClient.Listener listener(long number) {
    ActorRef<Command> self = getContext().getSelf();
    return new KeeperClient.Listener() {
      @Override
      public void exited(TaskView task) {
        agent.tell(new NodeAgent.TaskExited(task));
      }

      @Override
      public void silent(long millis) {
        agent.tell(new NodeAgent.KeeperSilent(millis));
      }

      @Override
      public void disconnected(Throwable cause) {
        self.tell(
            new Disconnected(
                number, String.valueOf(cause.getMessage()), cause instanceof KeeperUnresponsive));
      }
    };
  }

  private Behavior<Command> onSpawn(Spawn command) {
    if (client == null) {
      command.told().accept(new SpawnAnswer.Refused(RefusalCode.SHUTTING_DOWN, "no keeper"));
      return this;
    }
    if (command.connection() != connection) {
      command
          .told()
          .accept(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, "its keeper was joined again"));
      return this;
    }
    return call(keeper -> keeper.spawn(command.request(), command.told()));
  }

  private Behavior<Command> onKill(Kill command) {
    isToEnd |= client == null;
    return call(keeper -> keeper.kill(command.key(), command.graceMillis()));
  }

  private Behavior<Command> onAdopt(Adopt command) {
    return call(keeper -> keeper.adopt(command.request(), command.told()));
  }

  /** A request to the keeper. If it cannot be sent the connection is lost. */
  private interface Call {
    void on(KeeperClient keeper);
  }

  private Behavior<Command> call(Call call) {
    if (client != null) {
      try {
        call.on(client);
      } catch (KeeperFailure fault) {
        lose(fault.toString(), fault instanceof KeeperUnresponsive);
      }
    }
    return this;
  }

  private Behavior<Command> onShutdown(Shutdown command) {
    ending = true;
    if (client == null) {
      agent.tell(NodeAgent.KeeperEnded.INSTANCE); // there is no keeper to wait for
      return this;
    }
    return call(keeper -> keeper.shutdown(command.graceMillis()));
  }

  private Behavior<Command> onDisconnected(Disconnected event) {
    if (event.connection() == connection && client != null) {
      lose(event.cause(), event.unresponsive());
    }
    return this;
  }

  /**
   * Handles the loss of the connection. A live keeper is joined again and its tasks continue,
   * unless a task must be ended and the keeper accepts no connection. A keeper that is gone or
   * stopped is given up with its tasks.
   */
  private void lose(String cause, boolean unresponsive) {
    disconnect();
    if (ending) {
      agent.tell(NodeAgent.KeeperEnded.INSTANCE);
      return;
    }
    Optional<KeeperProcess> there = there();
    boolean lives = there.filter(keeper -> keeper.state() == KeeperProcess.State.LIVES).isPresent();
    if (!lives || unresponsive || (isToEnd && failures > MOST_FAILURES)) {
      giveUp(cause);
      return;
    }
    boolean stayed = System.nanoTime() - joinedAt > LONG_PAUSE.toNanos() * 2;
    pause = pause == null || stayed ? SHORT_PAUSE : longer(pause);
    getContext()
        .getLog()
        .warn(
            "lost the connection to the {}, which is alive ({}): joining it in {} ms",
            there.get(),
            cause,
            pause.toMillis());
    agent.tell(new NodeAgent.KeeperAway(cause));
    if (failures > MOST_FAILURES) {
      agent.tell(new NodeAgent.KeeperSilent((System.nanoTime() - joinedAt) / 1_000_000));
    }
    getContext().scheduleOnce(pause, getContext().getSelf(), Join.INSTANCE);
  }

  /**
   * Returns the keeper of the folder, or the one that was joined last if the folder has no record.
   */
  private Optional<KeeperProcess> there() {
    return KeeperLaunch.find(settings).or(() -> Optional.ofNullable(joined));
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONG_PAUSE) > 0 ? LONG_PAUSE : twice;
  }

  private void disconnect() {
    if (client != null) {
      client.close();
      client = null;
      connection++;
      failures = 0;
    }
  }

  /**
   * Gives up a keeper that is gone or stuck: kills it and everything of its tasks, then starts
   * another keeper.
   */
  private void giveUp(String cause) {
    disconnect();
    stuck = there().orElse(null);
    joined = null;
    failures = 0;
    isToEnd = false;
    OrphanSweep.Remains remains = KeeperLaunch.endLost(settings);
    getContext()
        .getLog()
        .warn("keeper lost ({}), {} processes of its tasks ended", cause, remains.killed());
    tell(remains);
    agent.tell(new NodeAgent.KeeperLost(cause));
    getContext().scheduleOnce(launchPause, getContext().getSelf(), Join.INSTANCE);
  }

  /** Reports to the agent what could not be killed, and tries again until nothing is left. */
  private void tell(OrphanSweep.Remains remains) {
    if (!remains.reasons().equals(stays)) {
      stays = remains.reasons();
      getContext().getLog().warn("left of the tasks of a lost keeper: {}", stays);
      agent.tell(new NodeAgent.Unended(stays));
    }
    if (!stays.isEmpty()) {
      timers.startSingleTimer(EndRest.INSTANCE, EndRest.INSTANCE, REST_AGAIN);
    }
  }

  private Behavior<Command> onEndRest() {
    if (isStuck()) {
      timers.startSingleTimer(EndRest.INSTANCE, EndRest.INSTANCE, REST_AGAIN);
    } else {
      tell(KeeperLaunch.endRest(settings));
    }
    return this;
  }

  private Behavior<Command> onStop() {
    if (client != null) {
      client.close();
    }
    return this;
  }
}
