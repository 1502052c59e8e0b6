package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.launch.RunAgents;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Ends the nodes, and then the run with its results. */
final class EndingPhase extends EnsemblePhase {

  private final int exitCode;
  private boolean ownAgentsEnded;

  /**
   * @param reason for the nodes
   * @param exitCode 0 if the results decide it
   */
  EndingPhase(EnsembleRunContext run, String reason, int exitCode) {
    super(run);
    this.exitCode = exitCode;
    Ensemble.Parts parts = run.parts();
    run.timers().cancelAll();
    run.tell(new CoordinatorCommand.EndNodes(reason, parts.grace()));
    run.timers()
        .startSingleTimer(
            Ensemble.EndLate.INSTANCE, parts.endDeadline().plus(parts.forceDeadline()));
    run.tellAgents(
        new RunAgents.End(
            parts.endDeadline(),
            getContext().messageAdapter(RunAgents.Ended.class, Ensemble.NodesEnded::new)));
  }

  @Override
  boolean isMonitoring() {
    return false;
  }

  @Override
  Behavior<Ensemble.Command> end(String reason, int code) {
    return this;
  }

  @Override
  Behavior<Ensemble.Command> onInterrupt(Ensemble.Interrupt command) {
    return this;
  }

  @Override
  Behavior<Ensemble.Command> onDrained(Ensemble.Drained message) {
    run.progress().observed(message.event().summaries());
    return this;
  }

  @Override
  Behavior<Ensemble.Command> onNodeSilent(ClusterEvent.NodeSilent event) {
    return finishIfAllEnded();
  }

  /** Records that the run's own agents have ended; for others, their connections end. */
  @Override
  Behavior<Ensemble.Command> onNodesEnded() {
    ownAgentsEnded = true;
    return finishIfAllEnded();
  }

  private Behavior<Ensemble.Command> finishIfAllEnded() {
    return ownAgentsEnded && run.nodes().allSilent() ? finish() : this;
  }

  @Override
  Behavior<Ensemble.Command> onEndLate() {
    return finish();
  }

  private Behavior<Ensemble.Command> finish() {
    int code = exitCode == 0 ? printResults() : exitCode;
    run.parts().replyTo().tell(new Ensemble.Outcome(code));
    return Behaviors.stopped();
  }

  private int printResults() {
    EnsembleWorkAndResults progress = run.progress();
    progress.telemetry().stream().map(ProgressLines::summary).forEach(run.console()::note);
    progress.finalLines().forEach(run.console()::result);
    progress.failureLines().forEach(run.console()::note);
    if (run.parts().json()) {
      run.console().report(progress.json(run.parts().run(), run.nodes().names(), run.seconds()));
    }
    return progress.isGood() ? 0 : FAILED;
  }
}
