package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.RunAgents;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** What the phases of a run share. Used only by the run's actor. */
final class EnsembleRunContext {

  private final ActorContext<Ensemble.Command> context;
  private final TimerScheduler<Ensemble.Command> timers;
  private final Ensemble.Parts parts;
  private final long startedAt;
  private final RunNodes nodes = new RunNodes();
  private final EnsembleWorkAndResults progress;

  /** Pools whose submission has not been answered yet; answers come in the same order. */
  private final Queue<NewJob> submitted = new ArrayDeque<>();

  private final ActorRef<Reply<AcceptedJobs>> submissions;
  private Optional<Ensemble.DataReady> data = Optional.empty();

  EnsembleRunContext(
      ActorContext<Ensemble.Command> context,
      TimerScheduler<Ensemble.Command> timers,
      Ensemble.Parts parts) {
    this.context = context;
    this.timers = timers;
    this.parts = parts;
    this.startedAt = now();
    this.progress = new EnsembleWorkAndResults(parts.settings());
    this.submissions = context.messageAdapter(submission(), Ensemble.Submitted::new);
    tell(
        new CoordinatorCommand.Follow(
            context.messageAdapter(ClusterEvent.class, Ensemble.Happened::new)));
  }

  @SuppressWarnings("unchecked") // a class literal has no type argument
  private static Class<Reply<AcceptedJobs>> submission() {
    return (Class<Reply<AcceptedJobs>>) (Class<?>) Reply.class;
  }

  ActorContext<Ensemble.Command> context() {
    return context;
  }

  TimerScheduler<Ensemble.Command> timers() {
    return timers;
  }

  Ensemble.Parts parts() {
    return parts;
  }

  EnsembleSettings settings() {
    return parts.settings();
  }

  Console console() {
    return parts.console();
  }

  RunNodes nodes() {
    return nodes;
  }

  EnsembleWorkAndResults progress() {
    return progress;
  }

  /** Returns the current time on the monotonic clock in nanoseconds. */
  long now() {
    return parts.nanoClock().getAsLong();
  }

  /** Returns the seconds since the run has started. */
  double seconds() {
    return (now() - startedAt) / 1e9;
  }

  void tell(CoordinatorCommand command) {
    parts.coordinator().tell(command);
  }

  void tellAgents(RunAgents.Command command) {
    parts.agents().tell(command);
  }

  /** Returns the place of the training data, empty while it is not known. */
  Optional<Ensemble.DataReady> data() {
    return data;
  }

  void data(Ensemble.DataReady ready) {
    data = Optional.of(ready);
  }

  /** Submits a pool; {@link Ensemble.Submitted} is the answer. */
  void submit(NewJob pool) {
    submitted.add(pool);
    tell(
        new CoordinatorCommand.SubmitJobs(
            List.of(pool),
            ReferencedStoredJobs.NONE,
            new CoordinatorCommand.Caller(pool.user(), true),
            submissions));
  }

  /** Returns and removes the pool that the next answer is about. */
  NewJob answered() {
    return submitted.remove();
  }

  /** Draws the progress if the console shows bars. */
  void showProgress() {
    if (console().showsBars()) {
      console().progress(progress.progress());
    }
  }
}
