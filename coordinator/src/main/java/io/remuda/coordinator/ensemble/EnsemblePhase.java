package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.launch.RunAgents;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.JobId;
import io.remuda.worker.protocol.WorkerEvent;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * A phase of a run. It handles every message: what all phases do alike is here, and what a phase
 * does not override has no meaning in it.
 */
abstract class EnsemblePhase extends AbstractBehavior<Ensemble.Command> {

  /** The exit code of a run that has failed. */
  static final int FAILED = 1;

  final EnsembleRunContext run;

  EnsemblePhase(EnsembleRunContext run) {
    super(run.context());
    this.run = run;
  }

  @Override
  public Receive<Ensemble.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Ensemble.Happened.class, message -> onHappened(message.event()))
        .onMessage(Ensemble.DataReady.class, this::onDataReady)
        .onMessage(Ensemble.NoData.class, this::onNoData)
        .onMessage(Ensemble.NodeGivenUp.class, this::onNodeGivenUp)
        .onMessage(Ensemble.Interrupt.class, this::onInterrupt)
        .onMessage(Ensemble.Submitted.class, this::onSubmitted)
        .onMessage(Ensemble.NodesLate.class, message -> onNodesLate())
        .onMessage(Ensemble.NoteImages.class, message -> onNoteImages())
        .onMessage(Ensemble.TelemetryLate.class, message -> onTelemetryLate())
        .onMessage(Ensemble.Drained.class, this::onDrained)
        .onMessage(Ensemble.NodesEnded.class, message -> onNodesEnded())
        .onMessage(Ensemble.EndLate.class, message -> onEndLate())
        .build();
  }

  private Behavior<Ensemble.Command> onHappened(ClusterEvent event) {
    if (event instanceof ClusterEvent.Leading leading) {
      getContext()
          .watchWith(
              leading.coordinator(),
              new Ensemble.Interrupt("the coordinator actor failed", FAILED));
    } else if (event instanceof ClusterEvent.NodeJoined joined) {
      return onNodeJoined(joined);
    } else if (event instanceof ClusterEvent.NodeSilent gone) {
      run.nodes().silent(gone.node());
      return onNodeSilent(gone);
    } else if (event instanceof ClusterEvent.NameTaken taken) {
      onNameTaken(taken.node());
    } else if (event instanceof ClusterEvent.NodeSignalled signalled) {
      run.tellAgents(new RunAgents.Signalled(signalled.node()));
    } else if (event instanceof ClusterEvent.TelemetryClosed closed) {
      return onTelemetryClosed(closed.node());
    } else if (event instanceof ClusterEvent.TaskMoved moved) {
      return onTaskMoved(moved.change());
    } else if (event instanceof ClusterEvent.Waiting waiting) {
      return onWaiting(waiting);
    } else if (event instanceof ClusterEvent.WorkerTold told) {
      onWorkerTold(told);
    } else if (event instanceof ClusterEvent.Progressed progressed) {
      run.progress().progressed(progressed.tasks());
      run.showProgress();
    }
    return this;
  }

  /** Records the node; says so if it had left. */
  Behavior<Ensemble.Command> onNodeJoined(ClusterEvent.NodeJoined event) {
    String name = event.node().name();
    boolean known = run.nodes().joined(event.node());
    run.tellAgents(new RunAgents.Heard(name));
    if (isMonitoring() && run.nodes().monitor(name)) {
      run.console().line("This is a telemetry process on node " + name + ".");
    } else if (known) {
      run.console().note("node " + name + " is back");
    }
    return this;
  }

  /** Returns whether nodes that join send telemetry. */
  boolean isMonitoring() {
    return true;
  }

  private void onNameTaken(String node) {
    if (run.nodes().nameTaken(node)) {
      run.console().note("a second agent has the name " + node + ": start it with another --name");
    }
  }

  private void onWorkerTold(ClusterEvent.WorkerTold told) {
    if (told.event() instanceof WorkerEvent.ItemsWanted) {
      run.tell(
          new CoordinatorCommand.Answer(
              told.attempt(), run.progress().grant(told.attempt(), told.sequence())));
    } else {
      run.progress().told(told.attempt(), told.event()).ifPresent(run.console()::note);
      run.showProgress();
    }
  }

  /** Says that the node is silent, and has its agent started again if it has ended. */
  Behavior<Ensemble.Command> onNodeSilent(ClusterEvent.NodeSilent event) {
    run.console()
        .note("node " + event.node() + " is silent (" + event.cause() + "); waiting for it");
    run.tellAgents(new RunAgents.Silent(event.node()));
    return this;
  }

  private Behavior<Ensemble.Command> onNodeGivenUp(Ensemble.NodeGivenUp event) {
    run.console().note("remuda: node " + event.node() + " cannot stay up: " + event.cause());
    run.nodes().givenUp(event.node());
    return canGoOnWithout(event.node()) ? this : end("a node cannot stay up", FAILED);
  }

  /** Returns whether the run can go on without a node that was given up. */
  boolean canGoOnWithout(String node) {
    return false;
  }

  Behavior<Ensemble.Command> onDataReady(Ensemble.DataReady event) {
    run.data(event);
    return this;
  }

  private Behavior<Ensemble.Command> onNoData(Ensemble.NoData event) {
    run.console().note("remuda: " + event.cause());
    return end("no training data", FAILED);
  }

  private Behavior<Ensemble.Command> onSubmitted(Ensemble.Submitted message) {
    NewJob pool = run.answered();
    if (message.answer() instanceof Reply.No<AcceptedJobs> refused) {
      run.console().note("remuda: " + pool.name() + ": " + refused.rejection().message());
      return end("a pool was refused", FAILED);
    }
    JobId job = ((Reply.Yes<AcceptedJobs>) message.answer()).value().ids().get(0);
    run.progress().submitted(pool, job);
    return this;
  }

  Behavior<Ensemble.Command> onInterrupt(Ensemble.Interrupt command) {
    run.console().note("remuda: ending: " + command.reason());
    return end(command.reason(), command.exitCode());
  }

  /** Ends the nodes, unless they are ending already. */
  Behavior<Ensemble.Command> end(String reason, int exitCode) {
    return new EndingPhase(run, reason, exitCode);
  }

  Behavior<Ensemble.Command> onNodesLate() {
    return this;
  }

  Behavior<Ensemble.Command> onWaiting(ClusterEvent.Waiting event) {
    return this;
  }

  Behavior<Ensemble.Command> onTaskMoved(TaskChange change) {
    return this;
  }

  Behavior<Ensemble.Command> onNoteImages() {
    return this;
  }

  Behavior<Ensemble.Command> onTelemetryClosed(String node) {
    return this;
  }

  Behavior<Ensemble.Command> onTelemetryLate() {
    return this;
  }

  Behavior<Ensemble.Command> onDrained(Ensemble.Drained message) {
    return this;
  }

  Behavior<Ensemble.Command> onNodesEnded() {
    return this;
  }

  Behavior<Ensemble.Command> onEndLate() {
    return this;
  }
}
