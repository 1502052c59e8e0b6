package io.remuda.coordinator.service;

import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.slurm.AllocationEndWatcher;
import io.remuda.coordinator.slurm.SlurmStepAgents;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * Looks after the agents of a server in a Slurm allocation: has lost ones started again, and the
 * server end when the allocation does.
 */
final class SlurmAllocationSupervisor extends AbstractBehavior<SlurmAllocationSupervisor.Command> {

  /** A message to this actor. */
  sealed interface Command {}

  /** The agents were ordered to end; kills what is left of them after {@code within}. */
  record End(Duration within, ActorRef<RunAgents.Ended> replyTo) implements Command {}

  private record Happened(ClusterEvent event) implements Command {}

  private record TimeTold(AllocationEndWatcher.Lasts lasts) implements Command {}

  private record NodeTrouble(RunAgents.Trouble trouble) implements Command {}

  private final ActorRef<RunAgents.Command> agents;
  private final ActorRef<CoordinatorCommand> coordinator;
  private final ActorRef<ServerRootActor.Command> guardian;

  private SlurmAllocationSupervisor(
      ActorContext<Command> context,
      SlurmStepAgents agents,
      Duration patience,
      Duration margin,
      ActorRef<CoordinatorCommand> coordinator,
      ActorRef<ServerRootActor.Command> guardian) {
    super(context);
    this.coordinator = coordinator;
    this.guardian = guardian;
    ActorRef<RunAgents.Trouble> trouble =
        context.messageAdapter(RunAgents.Trouble.class, NodeTrouble::new);
    this.agents =
        context.spawn(agents.watch(patience, trouble), "agents", AllocationEndWatcher.PROPS);
    context.spawn(
        AllocationEndWatcher.create(
            agents,
            margin,
            System::nanoTime,
            context.messageAdapter(AllocationEndWatcher.Lasts.class, TimeTold::new),
            trouble),
        "clock",
        AllocationEndWatcher.PROPS);
    coordinator.tell(
        new CoordinatorCommand.FollowNodes(
            context.messageAdapter(ClusterEvent.class, Happened::new)));
  }

  /**
   * Creates the behaviour.
   *
   * @param agents that were started
   * @param patience how long a node may be silent while its agent may live
   * @param margin time before the allocation's end at which the server begins to end
   */
  static Behavior<Command> create(
      SlurmStepAgents agents,
      Duration patience,
      Duration margin,
      ActorRef<CoordinatorCommand> coordinator,
      ActorRef<ServerRootActor.Command> guardian) {
    return Behaviors.setup(
        context ->
            new SlurmAllocationSupervisor(
                context, agents, patience, margin, coordinator, guardian));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Happened.class, this::onHappened)
        .onMessage(TimeTold.class, this::onTimeTold)
        .onMessage(NodeTrouble.class, this::onTrouble)
        .onMessage(End.class, this::onEnd)
        .build();
  }

  private Behavior<Command> onHappened(Happened happened) {
    if (happened.event() instanceof ClusterEvent.NodeJoined joined) {
      agents.tell(new RunAgents.Heard(joined.node().name()));
    } else if (happened.event() instanceof ClusterEvent.NodeSilent silent) {
      agents.tell(new RunAgents.Silent(silent.node()));
    } else if (happened.event() instanceof ClusterEvent.NodeSignalled signalled) {
      agents.tell(new RunAgents.Signalled(signalled.node()));
    }
    return this;
  }

  private Behavior<Command> onTimeTold(TimeTold told) {
    coordinator.tell(new CoordinatorCommand.ServerEnds(told.lasts().left().orElse(null)));
    return this;
  }

  private Behavior<Command> onTrouble(NodeTrouble event) {
    if (event.trouble() instanceof RunAgents.GaveUp gaveUp) {
      getContext()
          .getLog()
          .error(
              "node {} cannot stay up, the server goes on without it: {}",
              gaveUp.node(),
              gaveUp.cause());
    } else if (event.trouble() instanceof RunAgents.NeverHeard silent) {
      getContext()
          .getLog()
          .warn("node {} did not come up; its agent is started again", silent.node());
    } else if (event.trouble() instanceof RunAgents.Revoked revoked) {
      getContext().getLog().warn("{}: running tasks wait for the next server", revoked.cause());
      guardian.tell(new ServerRootActor.Stop(RunningJobServer.End.TASKS_WAIT_AGAIN));
    }
    return this;
  }

  private Behavior<Command> onEnd(End command) {
    agents.tell(new RunAgents.End(command.within(), command.replyTo()));
    return this;
  }
}
