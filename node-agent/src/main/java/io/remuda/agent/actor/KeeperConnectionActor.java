package io.remuda.agent.actor;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.UnansweredKeeperCallException;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.keeper.join.AgentKeepers;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.agent.log.RepeatedWarnings;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.ReceiveBuilder;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The agent's connection to the keeper. Joins a running keeper or starts one, and replaces a keeper
 * that was killed or does not answer. Starting one takes time, so this actor has its own thread.
 * The keeper's answers and events reach the agent in the order in which the keeper sent them.
 */
public final class KeeperConnectionActor extends AbstractBehavior<KeeperConnectionActor.Command> {

  /** Dispatcher for this actor. */
  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.keeper-dispatcher");

  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** A command to the port. */
  public sealed interface Command {}

  /** The number that stands for no connection. */
  static final long NO_CONNECTION = 0;

  /**
   * Starts a process; the agent gets {@link NodeAgentCommand.TaskAnswered}.
   *
   * @param connection connection on which the agent has read the keeper's task list. On a later
   *     connection the request is refused, because the list read there may lack the attempt
   */
  public record Spawn(long connection, AttemptId attempt, SpawnRequest request)
      implements Command {}

  /** Starts several processes, in this order; see {@link Spawn}. */
  public record SpawnAll(List<Spawn> spawns) implements Command {
    public SpawnAll {
      spawns = List.copyOf(spawns);
    }
  }

  /** Watches a running program; the agent gets {@link NodeAgentCommand.TaskAnswered}. */
  public record Adopt(AttemptId attempt, DeviceHoldRequest request) implements Command {}

  /** Releases the devices of an adopted program. */
  public record Release(String key) implements Command {}

  /** Withdraws a request that waits for its slot. */
  public record Withdraw(String key) implements Command {}

  /**
   * Ends a task's whole process tree, within its own grace or this one if that is shorter.
   *
   * @param signal that asks it; null for SIGTERM to those processes that its request names
   */
  public record Kill(String key, long graceMillis, EndingSignal signal) implements Command {

    /** Returns the order for a row of the table of ways. */
    static Kill of(AttemptId attempt, WayOut way, EndingSignal chosen, AgentSettings settings) {
      boolean usual = chosen == null && way.reach() == ReachedProcesses.FIRST;
      return new Kill(
          settings.keyPrefix() + attempt,
          way.grace().mostMillis(settings.timing().grace().toMillis()),
          usual || chosen != null ? chosen : way.signal(ReachedProcesses.FIRST));
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

  /** Time to try again to kill what lost keepers have left. */
  enum EndRest implements Command {
    INSTANCE
  }

  /** A connection to the keeper has ended. */
  record Disconnected(long connection, String cause, boolean unresponsive) implements Command {}

  private final AgentKeepers keepers;
  private final ActorRef<NodeAgentCommand> agent;
  private final KeeperJoinBackoff retry = new KeeperJoinBackoff();
  private final RepeatedWarnings warnings = new RepeatedWarnings(System::nanoTime);
  private final KeeperRemains remains;

  /** Number of the current connection, or of the next one. */
  private long connection;

  /** The keeper that was joined last; null if there is none or it was given up. */
  private AgentKeepers.Found joined;

  /** Whether a task was to be ended while there was no connection. */
  private boolean isToEnd;

  private KeeperConnectionActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      AgentKeepers keepers,
      ActorRef<NodeAgentCommand> agent) {
    super(context);
    this.remains = new KeeperRemains(timers, keepers, agent);
    this.keepers = keepers;
    this.agent = agent;
    context.getSelf().tell(Join.INSTANCE);
  }

  public static Behavior<Command> create(AgentKeepers keepers, ActorRef<NodeAgentCommand> agent) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new KeeperConnectionActor(context, timers, keepers, agent)));
  }

  @Override
  public Receive<Command> createReceive() {
    return connecting();
  }

  /**
   * The phase without a connection. Starts are refused; what else is asked is dropped, since the
   * agent repeats it once a keeper is joined.
   */
  private Receive<Command> connecting() {
    return withoutKeeper()
        .onMessage(Join.class, message -> onJoin())
        .onMessage(Kill.class, command -> after(() -> isToEnd = true))
        .build();
  }

  /** The phase after the keeper has ended as ordered. */
  private Receive<Command> ended() {
    agent.tell(NodeAgentCommand.KeeperEnded.INSTANCE);
    return withoutKeeper()
        .onMessage(Join.class, message -> Behaviors.same())
        .onMessage(Kill.class, command -> Behaviors.same())
        .build();
  }

  private ReceiveBuilder<Command> withoutKeeper() {
    return newReceiveBuilder()
        .onMessage(
            Spawn.class,
            command -> refuse(command.attempt(), RefusalCode.SHUTTING_DOWN, "no keeper"))
        .onMessage(SpawnAll.class, command -> after(() -> refuse(command.spawns())))
        .onMessage(Adopt.class, command -> Behaviors.same())
        .onMessage(Release.class, command -> Behaviors.same())
        .onMessage(Withdraw.class, command -> Behaviors.same())
        .onMessage(Renew.class, command -> Behaviors.same())
        .onMessage(Forget.class, command -> Behaviors.same())
        .onMessage(Shutdown.class, command -> ended())
        .onMessage(EndRest.class, message -> after(remains::endRest))
        .onMessage(Disconnected.class, event -> Behaviors.same());
  }

  /** The phase with a connection. A lost one is made again. */
  private Receive<Command> ready(KeeperLink client) {
    return withKeeper(client, (cause, unresponsive) -> lose(client, cause, unresponsive));
  }

  /** The phase after the order to end the keeper, until its connection ends. */
  private Receive<Command> ending(KeeperLink client) {
    return withKeeper(
        client,
        (cause, unresponsive) -> {
          disconnect(client);
          return ended();
        });
  }

  /** What follows from the loss of the connection. */
  private interface Loss {
    Behavior<Command> of(String cause, boolean unresponsive);
  }

  private Receive<Command> withKeeper(KeeperLink client, Loss loss) {
    return newReceiveBuilder()
        .onMessage(Join.class, message -> Behaviors.same())
        .onMessage(Spawn.class, command -> onSpawn(client, List.of(command), loss))
        .onMessage(SpawnAll.class, command -> onSpawn(client, command.spawns(), loss))
        .onMessage(Adopt.class, command -> call(() -> adopt(client, command), loss))
        .onMessage(Release.class, command -> call(() -> client.release(command.key()), loss))
        .onMessage(Withdraw.class, command -> call(() -> client.withdraw(command.key()), loss))
        .onMessage(Kill.class, command -> call(() -> kill(client, command), loss))
        .onMessage(
            Renew.class,
            command -> call(() -> client.renew(command.keys(), command.contactMillis()), loss))
        .onMessage(Forget.class, command -> call(() -> client.forget(command.keys()), loss))
        .onMessage(Shutdown.class, command -> onShutdown(client, command))
        .onMessage(EndRest.class, message -> after(remains::endRest))
        .onMessage(
            Disconnected.class,
            event ->
                event.connection() == connection
                    ? loss.of(event.cause(), event.unresponsive())
                    : Behaviors.same())
        .onSignal(PostStop.class, signal -> after(client::close))
        .build();
  }

  /** Carries out a step that changes no phase of this actor. */
  private static Behavior<Command> after(Runnable step) {
    step.run();
    return Behaviors.same();
  }

  private Behavior<Command> onJoin() {
    if (joined != null && joined.state() == KeeperProcessHandle.State.GONE) {
      return giveUp("it has ended"); // while there was no connection to notify us
    }
    if (remains.hasStuckKeeper()) {
      getContext().scheduleOnce(AGAIN, getContext().getSelf(), Join.INSTANCE);
      return Behaviors.same();
    }
    connection++;
    try {
      remains.left(keepers.ensureRunning());
      retry.launched();
    } catch (IOException fault) {
      return launchFailed(fault.getMessage());
    }
    try {
      return join(
          keepers.find().orElseThrow(() -> new IOException("the keeper has ended at once")));
    } catch (KeeperClient.RefusedException other) {
      return giveUp(other.getMessage());
    } catch (IOException | UnansweredKeeperCallException fault) {
      retry.failed();
      return awaitKeeper(fault.toString(), false);
    }
  }

  private Behavior<Command> join(AgentKeepers.Found keeper) throws IOException {
    long number = connection;
    KeeperLink client =
        keepers.connect(keeper, new KeeperEventForwarder(number, agent, getContext().getSelf()));
    joined = keeper;
    retry.joined();
    isToEnd = false;
    try {
      client.list(tasks -> agent.tell(new NodeAgentCommand.KeeperReady(number, tasks)));
      return ready(client);
    } catch (UnansweredKeeperCallException fault) {
      return lose(client, fault.toString(), false);
    }
  }

  private Behavior<Command> launchFailed(String cause) {
    Behavior<Command> next = awaitKeeper(cause, false);
    if (joined == null) {
      agent.tell(new NodeAgentCommand.KeeperMissing("no keeper can be started: " + cause));
      retry.launchFailed();
    }
    return next;
  }

  private Behavior<Command> onSpawn(KeeperLink client, List<Spawn> all, Loss loss) {
    return call(() -> client.together(() -> spawn(client, all)), loss);
  }

  /**
   * Sends starts. If the connection has ended, those that were not sent are answered before its
   * loss is told, which would be the end of each: the one that threw was not sent either.
   */
  private void spawn(KeeperLink client, List<Spawn> all) {
    int sent = 0;
    try {
      for (; sent < all.size(); sent++) {
        spawn(client, all.get(sent));
      }
    } catch (UnansweredKeeperCallException gone) {
      all.subList(sent, all.size())
          .forEach(one -> refuse(one.attempt(), RefusalCode.NOT_BEGUN, "the keeper is gone"));
      throw gone;
    }
  }

  private void spawn(KeeperLink client, Spawn command) {
    AttemptId attempt = command.attempt();
    if (command.connection() == connection) {
      client.spawn(command.request(), answer -> answered(attempt, answer));
    } else {
      refuse(attempt, RefusalCode.NOT_BEGUN, "its keeper was joined again");
    }
  }

  private static void kill(KeeperLink client, Kill command) {
    if (command.signal() == null) {
      client.kill(command.key(), command.graceMillis());
    } else {
      client.end(command.key(), command.signal(), command.graceMillis());
    }
  }

  private void adopt(KeeperLink client, Adopt command) {
    client.adopt(command.request(), answer -> answered(command.attempt(), answer));
  }

  private void refuse(List<Spawn> all) {
    all.forEach(one -> refuse(one.attempt(), RefusalCode.SHUTTING_DOWN, "no keeper"));
  }

  private Behavior<Command> refuse(AttemptId attempt, RefusalCode code, String why) {
    answered(attempt, new SpawnAnswer.Refused(code, why));
    return Behaviors.same();
  }

  /** Passes an answer on, on a thread of the port or of its client. */
  private void answered(AttemptId attempt, SpawnAnswer answer) {
    agent.tell(new NodeAgentCommand.TaskAnswered(attempt, answer));
  }

  /** Makes a request to the keeper. If it cannot be sent the connection is lost. */
  private Behavior<Command> call(Runnable request, Loss loss) {
    try {
      request.run();
      return Behaviors.same();
    } catch (UnansweredKeeperCallException fault) {
      return loss.of(fault.toString(), fault instanceof KeeperUnresponsiveException);
    }
  }

  private Behavior<Command> onShutdown(KeeperLink client, Shutdown command) {
    try {
      client.shutdown(command.graceMillis());
      return ending(client);
    } catch (UnansweredKeeperCallException fault) {
      disconnect(client);
      return ended();
    }
  }

  private Behavior<Command> lose(KeeperLink client, String cause, boolean unresponsive) {
    disconnect(client);
    return awaitKeeper(cause, unresponsive);
  }

  private void disconnect(KeeperLink client) {
    client.close();
    connection++;
    retry.forgetFailures();
  }

  /**
   * Handles the lack of a connection. A keeper that is there is joined again and its tasks
   * continue, unless it accepts no connection for long and a task must be ended or it is stopped. A
   * keeper that is gone is given up with its tasks.
   */
  private Behavior<Command> awaitKeeper(String cause, boolean unresponsive) {
    Optional<AgentKeepers.Found> found = there();
    boolean there =
        found.filter(keeper -> keeper.state() != KeeperProcessHandle.State.GONE).isPresent();
    boolean stopped =
        found.filter(keeper -> keeper.state() == KeeperProcessHandle.State.STOPPED).isPresent();
    boolean silent = isToEnd && retry.isKeeperSilent();
    if (!there || unresponsive || silent || (stopped && retry.isStoppedForLong())) {
      return giveUp(cause);
    }
    Duration pause = retry.nextPause();
    String away = "no connection to the " + found.get() + ", which is there (" + cause + ")";
    warnings
        .next(away)
        .ifPresent(more -> getContext().getLog().warn("{}: it is joined again{}", away, more));
    agent.tell(new NodeAgentCommand.KeeperAway(cause));
    if (retry.isKeeperSilent()) {
      agent.tell(new NodeAgentCommand.KeeperSilent(retry.millisSinceJoin()));
    }
    getContext().scheduleOnce(pause, getContext().getSelf(), Join.INSTANCE);
    return connecting();
  }

  /**
   * Returns the keeper of the folder, or the one that was joined last if the folder has no record.
   */
  private Optional<AgentKeepers.Found> there() {
    return keepers.find().or(() -> Optional.ofNullable(joined));
  }

  /**
   * Gives up a keeper that is gone or stuck: kills it and everything of its tasks, then starts
   * another keeper.
   */
  private Behavior<Command> giveUp(String cause) {
    AgentKeepers.Found lost = there().orElse(null);
    joined = null;
    retry.forgetFailures();
    isToEnd = false;
    remains.end(lost, cause);
    agent.tell(new NodeAgentCommand.KeeperLost(cause));
    getContext().scheduleOnce(retry.launchPause(), getContext().getSelf(), Join.INSTANCE);
    return connecting();
  }
}
