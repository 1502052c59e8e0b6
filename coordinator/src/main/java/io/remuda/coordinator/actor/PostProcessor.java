package io.remuda.coordinator.actor;

import io.remuda.coordinator.console.Console;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.render.TelemetryLines;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Aggregates the telemetry of all nodes and prints a line for each sample. */
public final class PostProcessor {

  /** What the post-processor is told. */
  public sealed interface Command {}

  /** Samples in the order they were taken. */
  public record Samples(List<NodeSample> samples) implements Command {}

  /** No sample will come from the node any more. */
  public record Closed(String node) implements Command {}

  /** All that came before is printed; say so and end. */
  public record Finish(ActorRef<Finished> replyTo) implements Command {}

  /** Everything was printed. */
  public enum Finished {
    INSTANCE
  }

  private PostProcessor() {}

  /**
   * @param machine the name of the machine it runs on
   */
  public static Behavior<Command> create(String machine, Console console) {
    return Behaviors.setup(
        context -> {
          console.line("This is the postprocessing process, " + machine + ".");
          return Behaviors.receive(Command.class)
              .onMessage(Samples.class, event -> onSamples(event, console))
              .onMessage(Closed.class, event -> onClosed(event, console))
              .onMessage(Finish.class, command -> onFinish(command, console))
              .build();
        });
  }

  private static Behavior<Command> onSamples(Samples event, Console console) {
    event.samples().forEach(sample -> console.line(TelemetryLines.plain(sample)));
    return Behaviors.same();
  }

  private static Behavior<Command> onClosed(Closed event, Console console) {
    console.line("Telemetry process on node " + event.node() + " exiting ...");
    return Behaviors.same();
  }

  private static Behavior<Command> onFinish(Finish command, Console console) {
    console.line("Post process is exiting");
    command.replyTo().tell(Finished.INSTANCE);
    return Behaviors.stopped();
  }
}
