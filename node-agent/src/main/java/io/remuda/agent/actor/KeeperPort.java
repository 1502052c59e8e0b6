package io.remuda.agent.actor;

import io.remuda.agent.keeper.AdoptRequest;
import io.remuda.agent.keeper.KeeperClient;
import io.remuda.agent.keeper.KeeperFailure;
import io.remuda.agent.keeper.OrphanSweep;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
 * The agent's side of the keeper: joins the one that is there or starts one, and replaces one that
 * was killed or that does not answer. To start one takes its time, so it has a thread of its own.
 * What a keeper answers and tells goes to the agent in the order in which the keeper has said it.
 */
public final class KeeperPort extends AbstractBehavior<KeeperPort.Command> {

  /** Where this actor is to run. */
  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.keeper-dispatcher");

  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration REST_AGAIN = Duration.ofSeconds(2);

  /** What the port is told. */
  public sealed interface Command {}

  /** Starts a process; {@code told} takes the answer, on a thread of the port or of its client. */
  public record Spawn(SpawnRequest request, Consumer<SpawnAnswer> told) implements Command {}

  /** Watches a program that runs already; {@code told} as for {@link Spawn}. */
  public record Adopt(AdoptRequest request, Consumer<SpawnAnswer> told) implements Command {}

  /** A program that was adopted gives its devices back. */
  public record Release(String key) implements Command {}

  /** What waits for its seat under this key is not to be started. */
  public record Withdraw(String key) implements Command {}

  /** Ends a task's whole tree. */
  public record Kill(String key, long graceMillis) implements Command {

    static Kill of(AttemptId attempt, AgentSettings settings) {
      return new Kill(settings.keyPrefix() + attempt, settings.timing().grace().toMillis());
    }
  }

  /** Lets tasks run for so long from now. */
  public record Renew(List<String> keys, long leaseMillis) implements Command {}

  /** The ends of tasks were learned. */
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

  private record Disconnected(long connection, String cause) implements Command {}

  private final TimerScheduler<Command> timers;
  private final AgentSettings settings;
  private final Distribution distribution;
  private final ActorRef<NodeAgent.Command> agent;
  private KeeperClient client;
  private long connection;
  private boolean ending;
  private Map<String, String> stays = Map.of();

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
        .onMessage(
            Kill.class,
            command -> call(keeper -> keeper.kill(command.key(), command.graceMillis())))
        .onMessage(
            Renew.class,
            command -> call(keeper -> keeper.renew(command.keys(), command.leaseMillis())))
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
    try {
      tell(KeeperLaunch.ensureRunning(settings, distribution));
      long number = ++connection;
      client = KeeperClient.connect(KeeperLaunch.socket(settings), listener(number));
      client.list(tasks -> agent.tell(new NodeAgent.KeeperReady(tasks)));
    } catch (IOException | KeeperFailure fault) {
      getContext().getLog().warn("no keeper yet: {}", fault.toString());
      lose(fault.toString());
    }
    return this;
  }

  private KeeperClient.Listener listener(long number) {
    ActorRef<Command> self = getContext().getSelf();
    return new KeeperClient.Listener() {
      @Override
      public void exited(TaskView task) {
        agent.tell(new NodeAgent.TaskExited(task));
      }

      @Override
      public void disconnected(Throwable cause) {
        self.tell(new Disconnected(number, String.valueOf(cause.getMessage())));
      }
    };
  }

  private Behavior<Command> onSpawn(Spawn command) {
    if (client == null) {
      command.told().accept(new SpawnAnswer.Refused(RefusalCode.SHUTTING_DOWN, "no keeper"));
      return this;
    }
    return call(keeper -> keeper.spawn(command.request(), command.told()));
  }

  private Behavior<Command> onAdopt(Adopt command) {
    return call(keeper -> keeper.adopt(command.request(), command.told()));
  }

  /** A word to the keeper; if it cannot be said, all that asked hear that the keeper is gone. */
  private interface Call {
    void on(KeeperClient keeper);
  }

  private Behavior<Command> call(Call call) {
    if (client != null) {
      try {
        call.on(client);
      } catch (KeeperFailure fault) {
        lose(fault.toString());
      }
    }
    return this;
  }

  private Behavior<Command> onShutdown(Shutdown command) {
    ending = true;
    if (client == null) {
      agent.tell(NodeAgent.KeeperEnded.INSTANCE); // there is none to wait for
      return this;
    }
    return call(keeper -> keeper.shutdown(command.graceMillis()));
  }

  private Behavior<Command> onDisconnected(Disconnected event) {
    if (event.connection() == connection && client != null) {
      lose(event.cause());
    }
    return this;
  }

  /** The keeper is gone or stuck: nothing of its tasks may stay, then another one is started. */
  private void lose(String cause) {
    if (client != null) {
      client.close();
      client = null;
      connection++;
    }
    if (ending) {
      agent.tell(NodeAgent.KeeperEnded.INSTANCE);
      return;
    }
    OrphanSweep.Remains remains = KeeperLaunch.endLost(settings);
    getContext()
        .getLog()
        .warn("keeper lost ({}), {} processes of its tasks ended", cause, remains.killed());
    tell(remains);
    agent.tell(new NodeAgent.KeeperLost(cause));
    getContext().scheduleOnce(AGAIN.dividedBy(4), getContext().getSelf(), Join.INSTANCE);
  }

  /** The agent hears what a lost keeper has left and nobody can end, until it is gone. */
  private void tell(OrphanSweep.Remains remains) {
    if (!remains.reasons().equals(stays)) {
      stays = remains.reasons();
      getContext().getLog().warn("of tasks of a lost keeper there is left: {}", stays);
      agent.tell(new NodeAgent.Unended(stays));
    }
    if (!stays.isEmpty()) {
      timers.startSingleTimer(EndRest.INSTANCE, EndRest.INSTANCE, REST_AGAIN);
    }
  }

  private Behavior<Command> onEndRest() {
    tell(KeeperLaunch.endRest(settings));
    return this;
  }

  private Behavior<Command> onStop() {
    if (client != null) {
      client.close();
    }
    return this;
  }
}
