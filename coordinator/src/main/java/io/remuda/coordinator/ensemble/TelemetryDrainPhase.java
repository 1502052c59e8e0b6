package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.actor.TelemetryPostProcessor;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;

/** Waits for the last telemetry after the pools have finished, and until it is printed. */
final class TelemetryDrainPhase extends EnsemblePhase {

  private static final Duration TELEMETRY_DRAIN = Duration.ofSeconds(5);

  private boolean finished;

  TelemetryDrainPhase(EnsembleRunContext run) {
    super(run);
  }

  /** Requests the last telemetry; silent nodes send none. */
  Behavior<Ensemble.Command> begin() {
    run.timers().cancel(Ensemble.NoteImages.INSTANCE);
    run.console().line("Shutting down procs");
    run.tell(CoordinatorCommand.StopTelemetry.INSTANCE);
    run.timers().startSingleTimer(Ensemble.TelemetryLate.INSTANCE, TELEMETRY_DRAIN);
    run.nodes().silent().forEach(this::onTelemetryClosed);
    return this;
  }

  @Override
  boolean isMonitoring() {
    return false;
  }

  @Override
  boolean canGoOnWithout(String node) {
    return true; // the work is done
  }

  @Override
  Behavior<Ensemble.Command> onNodeSilent(ClusterEvent.NodeSilent event) {
    return onTelemetryClosed(event.node());
  }

  @Override
  Behavior<Ensemble.Command> onTelemetryClosed(String node) {
    if (run.nodes().ended(node)) {
      run.parts().postProcessor().tell(new TelemetryPostProcessor.Closed(node));
      if (run.nodes().allEnded()) {
        finish();
      }
    }
    return this;
  }

  @Override
  Behavior<Ensemble.Command> onTelemetryLate() {
    finish();
    return this;
  }

  private void finish() {
    if (finished) {
      return;
    }
    finished = true;
    run.timers().cancel(Ensemble.TelemetryLate.INSTANCE);
    for (String late : run.nodes().takeMonitored()) {
      run.console().note("node " + late + " did not end its telemetry in time");
    }
    run.parts()
        .postProcessor()
        .tell(
            new TelemetryPostProcessor.Finish(
                getContext()
                    .messageAdapter(TelemetryPostProcessor.Finished.class, Ensemble.Drained::new)));
  }

  @Override
  Behavior<Ensemble.Command> onDrained(Ensemble.Drained message) {
    run.progress().observed(message.event().summaries());
    return end("the run is over", 0);
  }
}
