package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.api.ClusterEvent;
import org.apache.pekko.actor.typed.Behavior;

/** Waits until all nodes are connected at one time, since work is distributed over them. */
final class NodeJoinPhase extends EnsemblePhase {

  NodeJoinPhase(EnsembleRunContext run) {
    super(run);
    if (run.settings().joiningNodes() == 0) { // nodes that users start have no deadline
      run.timers().startSingleTimer(Ensemble.NodesLate.INSTANCE, run.parts().nodesDeadline());
    }
  }

  @Override
  Behavior<Ensemble.Command> onNodeJoined(ClusterEvent.NodeJoined event) {
    super.onNodeJoined(event);
    int connected = run.nodes().connected();
    int all = run.settings().allNodes();
    if (run.settings().joiningNodes() > 0) {
      run.console().note("node " + event.node().name() + " joined: " + connected + " of " + all);
    }
    if (connected < all) {
      return this;
    }
    run.timers().cancel(Ensemble.NodesLate.INSTANCE);
    return new RunningPhase(run);
  }

  @Override
  Behavior<Ensemble.Command> onNodesLate() {
    run.console()
        .note(
            "remuda: "
                + run.nodes().count()
                + " of "
                + run.settings().allNodes()
                + " nodes joined within "
                + run.parts().nodesDeadline().toSeconds()
                + " s; see their agent.log");
    return end("nodes are missing", FAILED);
  }
}
