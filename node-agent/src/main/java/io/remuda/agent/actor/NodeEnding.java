package io.remuda.agent.actor;

import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.recovery.ReceivedDesiredState;
import io.remuda.agent.settings.AgentSettings;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * How the agent ends: with its tasks, or without those that outlive it. Used only by the node
 * agent's actor.
 */
final class NodeEnding {

  private final ActorContext<NodeAgentCommand> context;
  private final TimerScheduler<NodeAgentCommand> timers;
  private final NodeAgent.Parts parts;
  private final AgentSettings settings;
  private final ReceivedDesiredState order;
  private final NodeAttempts tasks;
  private final CoordinatorMembership coordinatorMembership;
  private final ContactWatch contact;
  private final ActorRef<KeeperConnectionActor.Command> keeper;
  private final ActorRef<TelemetryActor.Command> telemetry;
  private boolean begun;

  NodeEnding(
      ActorContext<NodeAgentCommand> context,
      TimerScheduler<NodeAgentCommand> timers,
      NodeAgent.Parts parts,
      ReceivedDesiredState order,
      NodeAttempts tasks,
      CoordinatorMembership coordinatorMembership,
      ContactWatch contact,
      ActorRef<KeeperConnectionActor.Command> keeper,
      ActorRef<TelemetryActor.Command> telemetry) {
    this.context = context;
    this.timers = timers;
    this.parts = parts;
    this.settings = parts.settings();
    this.order = order;
    this.tasks = tasks;
    this.coordinatorMembership = coordinatorMembership;
    this.contact = contact;
    this.keeper = keeper;
    this.telemetry = telemetry;
  }

  /** Returns whether the agent ends. */
  boolean hasBegun() {
    return begun;
  }

  /**
   * Leaves the tasks to the keeper if one may belong to a job that outlives agents; else ends all.
   */
  Behavior<NodeAgentCommand> leave(String reason) {
    return !begun && order.mayOutliveCoordinator() && !settings.launched()
        ? depart(reason)
        : end(reason, Duration.ofMillis(WayOut.AGENT_ENDS.grace().mostMillis(graceMillis())));
  }

  private long graceMillis() {
    return settings.timing().grace().toMillis();
  }

  /** As {@link #leave}, after the coordinator was told of the signal. */
  Behavior<NodeAgentCommand> leaveSignalled(String reason) {
    coordinatorMembership.send(new AgentMessage.Signalled(reason));
    return leave(reason);
  }

  /**
   * Leaves the end to the coordinator, which is told of the signal. The contact deadline ends the
   * agent if the coordinator is lost before its order.
   */
  Behavior<NodeAgentCommand> awaitOrder(String reason) {
    if (!coordinatorMembership.isWelcome()) {
      return leave(reason);
    }
    coordinatorMembership.send(new AgentMessage.Signalled(reason));
    return Behaviors.same();
  }

  /** Gives up if no coordinator was reachable for long: without an access file none is found. */
  Behavior<NodeAgentCommand> accessMissing() {
    if (begun || !coordinatorMembership.isLongUnreachable()) {
      return Behaviors.same();
    }
    return giveUp("giving up: no coordinator for " + settings.timing().giveUp(), "no coordinator");
  }

  /** Gives up if another node has this node's name for good. */
  Behavior<NodeAgentCommand> nameTaken() {
    if (!coordinatorMembership.isNameTakenForGood()) {
      return Behaviors.same();
    }
    return giveUp(
        "another node is named " + settings.node() + ": start this one with another --name",
        "its name is taken");
  }

  /**
   * Leaves as an agent that failed.
   *
   * @param error for the log of this node
   * @param reason for the coordinator
   */
  Behavior<NodeAgentCommand> giveUp(String error, String reason) {
    context.getLog().error(error);
    parts.refused().set(true);
    return leave(reason);
  }

  private void begin() {
    begun = true;
    contact.stop();
  }

  /** Ends all tasks, the keeper and the agent. */
  Behavior<NodeAgentCommand> end(String reason, Duration grace) {
    if (begun) {
      return Behaviors.same();
    }
    context.getLog().info("ending: {}", reason);
    begin();
    coordinatorMembership.send(new AgentMessage.Leaving(reason));
    telemetry.tell(TelemetryActor.Close.INSTANCE);
    if (!settings.launched() && tasks.hasForeign()) {
      tasks.endOwn(reason); // the keeper stays for the others
    } else {
      keeper.tell(new KeeperConnectionActor.Shutdown(grace.toMillis()));
    }
    timers.startSingleTimer(NodeAgentCommand.GiveUp.INSTANCE, grace.plusMillis(1500));
    return Behaviors.same();
  }

  /**
   * Ends the agent and leaves the keeper with its tasks; the next agent of this folder adopts them.
   */
  private Behavior<NodeAgentCommand> depart(String reason) {
    context.getLog().info("leaving, tasks continue: {}", reason);
    begin();
    order.attempts().stream()
        .filter(CoordinatorMessage.Kept::tied)
        .forEach(task -> tasks.end(task.attempt(), reason));
    coordinatorMembership.send(new AgentMessage.Leaving(reason));
    timers.startSingleTimer(NodeAgentCommand.GiveUp.INSTANCE, Duration.ofMillis(200));
    return Behaviors.same();
  }
}
