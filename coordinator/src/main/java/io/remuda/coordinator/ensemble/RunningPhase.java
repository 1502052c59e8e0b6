package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.JobId;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;

/** Runs the telemetry and the two pools until all their tasks have ended. */
final class RunningPhase extends EnsemblePhase {

  private static final Duration IMAGE_NOTES = Duration.ofSeconds(5);

  private final WaitingTrainingRule waitNotices;
  private boolean trainingSubmitted;
  private int notedImages;

  RunningPhase(EnsembleRunContext run) {
    super(run);
    this.waitNotices = new WaitingTrainingRule(run.now());
    run.tell(CoordinatorCommand.StartTelemetry.INSTANCE);
    run.console().line("Launching scipy and mnist jobs");
    submitTraining(); // first, if its data is ready: its tasks are few and take GPUs
    run.submit(EnsembleJobFactory.scipy(run.settings(), run.parts().user()));
    run.timers().startTimerWithFixedDelay(Ensemble.NoteImages.INSTANCE, IMAGE_NOTES);
  }

  @Override
  Behavior<Ensemble.Command> onDataReady(Ensemble.DataReady event) {
    super.onDataReady(event);
    submitTraining();
    return this;
  }

  private void submitTraining() {
    if (trainingSubmitted || run.data().isEmpty()) {
      return;
    }
    trainingSubmitted = true;
    EnsembleJobFactory.Training training =
        EnsembleJobFactory.training(run.settings(), run.nodes().all());
    training.note().ifPresent(run.console()::note);
    run.submit(
        EnsembleJobFactory.mnist(
            run.settings(), run.parts().user(), training, run.data().get().data()));
  }

  @Override
  Behavior<Ensemble.Command> onWaiting(ClusterEvent.Waiting all) {
    Optional<JobId> trainings = run.progress().trainings();
    if (trainings.isEmpty()) {
      return this;
    }
    ClusterEvent.Waiting event = all.of(trainings.get());
    boolean allHeard = run.nodes().silentForGood();
    Optional<String> impossible = waitNotices.impossible(event);
    if (impossible.isPresent() && allHeard) {
      run.console().note("remuda: " + impossible.get());
      return end("a training fits on no node", FAILED);
    }
    waitNotices.memoryNote(event).ifPresent(run.console()::note);
    waitNotices.gpuNote(event).ifPresent(run.console()::note);
    if (waitNotices.areHopeless(event, allHeard, run.now())) {
      run.console().note("no GPU answers any more: trainings that wait run on the CPU");
      run.tell(new CoordinatorCommand.WithoutGpus(trainings.get()));
    }
    return this;
  }

  @Override
  boolean canGoOnWithout(String node) {
    return run.nodes().othersRun(node);
  }

  @Override
  Behavior<Ensemble.Command> onTaskMoved(TaskChange change) {
    run.progress().moved(change).ifPresent(run.console()::note);
    run.showProgress();
    return run.progress().isDone() ? new TelemetryDrainPhase(run).begin() : this;
  }

  @Override
  Behavior<Ensemble.Command> onNoteImages() {
    if (run.progress().imagesDone() != notedImages && !run.console().showsBars()) {
      notedImages = run.progress().imagesDone();
      run.console().note("images: " + notedImages + "/" + run.progress().images());
    }
    return this;
  }
}
