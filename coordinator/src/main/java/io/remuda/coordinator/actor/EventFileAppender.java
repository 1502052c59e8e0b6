package io.remuda.coordinator.actor;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.registry.task.TaskChange;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Appends the events of nodes and tasks to a file, one JSON object per line. */
public final class EventFileAppender {

  /** The dispatcher of this actor, for blocking calls. */
  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** A message to the event log. */
  public sealed interface Command {}

  /** An event of a node. */
  record NodeEvent(String node, String event, String cause) implements Command {}

  /** A task's change of state. */
  record TaskEvent(TaskChange change) implements Command {}

  private EventFileAppender() {}

  public static Behavior<Command> create(Path file, Clock clock) {
    return Behaviors.setup(
        context -> {
          JsonMapper mapper =
              JsonMapper.builder()
                  .defaultPropertyInclusion(
                      JsonInclude.Value.construct(
                          JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                  .build();
          Writer out = Files.newBufferedWriter(file);
          return Behaviors.receive(Command.class)
              .onMessage(
                  NodeEvent.class,
                  event -> append(context, out, mapper.writeValueAsString(row(event, clock))))
              .onMessage(
                  TaskEvent.class,
                  event -> append(context, out, mapper.writeValueAsString(row(event, clock))))
              .onSignal(PostStop.class, signal -> close(context, out))
              .build();
        });
  }

  private static Map<String, Object> row(NodeEvent event, Clock clock) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("at", clock.instant().toString());
    row.put("type", "node");
    row.put("node", event.node());
    row.put("event", event.event());
    row.put("cause", event.cause());
    return row;
  }

  private static Map<String, Object> row(TaskEvent event, Clock clock) {
    TaskChange change = event.change();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("at", clock.instant().toString());
    row.put("type", "task");
    row.put("task", change.attempt().task().toString());
    row.put("attempt", change.attempt().attempt());
    row.put("from", change.from().name().toLowerCase(Locale.ROOT));
    row.put("to", change.to().name().toLowerCase(Locale.ROOT));
    row.put("node", change.node());
    row.put("devices", change.devices().stream().map(device -> device.uuid()).toList());
    row.put("releases", change.releases());
    row.put("cause", change.cause());
    return row;
  }

  /** Appends a line; a write error is logged once and ends the log, but not the run. */
  private static Behavior<Command> append(ActorContext<Command> context, Writer out, String line) {
    try {
      out.write(line);
      out.write('\n');
      out.flush();
      return Behaviors.same();
    } catch (IOException fault) {
      context.getLog().warn("the event log ends here: {}", fault.toString());
      return Behaviors.ignore();
    }
  }

  private static Behavior<Command> close(ActorContext<Command> context, Writer out) {
    try {
      out.close();
    } catch (IOException fault) {
      context.getLog().warn("the event log was not closed: {}", fault.toString());
    }
    return Behaviors.same();
  }
}
