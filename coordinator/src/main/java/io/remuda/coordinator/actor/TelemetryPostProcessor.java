package io.remuda.coordinator.actor;

import io.remuda.coordinator.console.Console;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.window.UtilizationAccumulator;
import io.remuda.telemetry.window.UtilizationSummary;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Shows all samples of the nodes and computes their summaries for the end of a run. */
public final class TelemetryPostProcessor extends AbstractBehavior<TelemetryPostProcessor.Command> {

  /** A message to the post-processor. */
  public sealed interface Command {}

  /** Samples in the order they were taken. */
  public record Samples(List<NodeSample> samples) implements Command {}

  /** The node has sent its last sample. */
  public record Closed(String node) implements Command {}

  /** Asks for the summaries; the earlier messages are printed first, then the actor ends. */
  public record Finish(ActorRef<Finished> replyTo) implements Command {}

  /** The answer to {@link Finish}; {@code summaries} has a row for each node. */
  public record Finished(List<UtilizationSummary> summaries) {
    public Finished {
      summaries = List.copyOf(summaries);
    }
  }

  private final Console console;
  private final UtilizationAccumulator seen = new UtilizationAccumulator();

  private TelemetryPostProcessor(ActorContext<Command> context, Console console) {
    super(context);
    this.console = console;
  }

  /** Creates the behaviour of a run's post-processor. */
  public static Behavior<Command> create(Console console) {
    return Behaviors.setup(context -> new TelemetryPostProcessor(context, console));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Samples.class, this::onSamples)
        .onMessage(Closed.class, this::onClosed)
        .onMessage(Finish.class, this::onFinish)
        .build();
  }

  private Behavior<Command> onSamples(Samples event) {
    for (NodeSample sample : event.samples()) {
      seen.add(sample);
      console.sampled(sample);
    }
    return this;
  }

  private Behavior<Command> onClosed(Closed event) {
    console.line("Telemetry process on node " + event.node() + " exiting ...");
    return this;
  }

  private Behavior<Command> onFinish(Finish command) {
    console.line("Post process is exiting");
    command.replyTo().tell(new Finished(seen.summaries()));
    return Behaviors.stopped();
  }
}
