package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.actor.TelemetryPostProcessor;
import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.launch.RunAgents;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Controls one run: waits for the nodes, starts telemetry and the two pools, hands out images,
 * collects results, and ends everything in order: pools, telemetry, post-processor, nodes. Each of
 * these phases is a behaviour of its own.
 */
public final class Ensemble {

  /** A message to the run. */
  public sealed interface Command {}

  /** Ends the run early; {@code exitCode} becomes its exit code. */
  public record Interrupt(String reason, int exitCode) implements Command {}

  /**
   * The place of the training data.
   *
   * @param verify whether it must be the genuine MNIST
   */
  public record Data(Path folder, boolean verify) {}

  /** The training data is ready; without a place each node looks in its own cache. */
  public record DataReady(Optional<Data> data) implements Command {}

  /** There is no training data. */
  public record NoData(String cause) implements Command {}

  /** An event of the cluster. */
  public record Happened(ClusterEvent event) implements Command {}

  /** An agent that this run starts was given up. */
  public record NodeGivenUp(String node, String cause) implements Command {}

  /** The answer to the submission of a pool. */
  record Submitted(Reply<AcceptedJobs> answer) implements Command {}

  /** The post-processor has printed everything. */
  record Drained(TelemetryPostProcessor.Finished event) implements Command {}

  /** The agents that the run has started have ended. */
  record NodesEnded(RunAgents.Ended event) implements Command {}

  /** Not all nodes have joined in time. */
  enum NodesLate implements Command {
    INSTANCE
  }

  /** Not all nodes have ended in time. */
  enum EndLate implements Command {
    INSTANCE
  }

  /** Not all nodes have sent their last sample in time. */
  enum TelemetryLate implements Command {
    INSTANCE
  }

  /** Time for a line about the images. */
  enum NoteImages implements Command {
    INSTANCE
  }

  /** The outcome of the run. */
  public record Outcome(int exitCode) {}

  /** The actors and settings that a run uses. */
  public record Parts(
      EnsembleSettings settings,
      String run,
      String user,
      boolean json,
      Duration nodesDeadline,
      Duration grace,
      Duration endDeadline,
      Duration forceDeadline,
      ActorRef<CoordinatorCommand> coordinator,
      ActorRef<TelemetryPostProcessor.Command> postProcessor,
      ActorRef<RunAgents.Command> agents,
      Console console,
      LongSupplier nanoClock,
      ActorRef<Outcome> replyTo) {}

  private Ensemble() {}

  public static Behavior<Command> create(Parts parts) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new NodeJoinPhase(new EnsembleRunContext(context, timers, parts))));
  }
}
