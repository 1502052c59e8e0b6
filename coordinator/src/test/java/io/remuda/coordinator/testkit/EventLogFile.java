package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run wrote about its nodes and tasks.
 *
 * @param moves the tasks' changes of state, in order
 * @param nodes what happened to nodes, in order
 */
public record EventLogFile(List<Move> moves, List<NodeEvent> nodes) {

  /** A task's change of state. */
  public record Move(
      Instant at,
      String task,
      int attempt,
      String from,
      String to,
      String node,
      List<String> devices,
      boolean releases,
      String cause) {

    /** The number of the job: 1 is MNIST, 2 is SciPy. */
    public int job() {
      return Integer.parseInt(task.substring(0, task.indexOf('.')));
    }

    boolean places() {
      return from.equals("waiting") && to.equals("starting");
    }

    boolean isSameAttempt(Move other) {
      return task.equals(other.task) && attempt == other.attempt;
    }
  }

  /** Something about a node. */
  public record NodeEvent(Instant at, String node, String event, String cause) {}

  /** Reads a log; the last line may still be half written. */
  public static EventLogFile read(Path file) {
    List<Move> moves = new ArrayList<>();
    List<NodeEvent> nodes = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.endsWith("}")) {
          add(new JsonMapper().readTree(line), moves, nodes);
        }
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    return new EventLogFile(moves, nodes);
  }

  private static void add(JsonNode row, List<Move> moves, List<NodeEvent> nodes) {
    Instant at = Instant.parse(row.get("at").asText());
    String cause = row.path("cause").asText(null);
    if (row.get("type").asText().equals("node")) {
      nodes.add(new NodeEvent(at, row.get("node").asText(), row.get("event").asText(), cause));
      return;
    }
    List<String> devices = new ArrayList<>();
    row.get("devices").forEach(device -> devices.add(device.asText()));
    moves.add(
        new Move(
            at,
            row.get("task").asText(),
            row.get("attempt").asInt(),
            row.get("from").asText(),
            row.get("to").asText(),
            row.path("node").asText(null),
            devices,
            row.get("releases").asBoolean(),
            cause));
  }

  /** Where tasks of a job were placed, in order. */
  public List<Move> placements(int job) {
    return moves.stream().filter(Move::places).filter(move -> move.job() == job).toList();
  }

  /** Fails if a device was held by two attempts at a time. */
  public void assertNoDeviceHeldTwice() {
    Map<String, Move> holders = new HashMap<>();
    for (Move move : moves) {
      for (String device : move.devices()) {
        Move holder = holders.get(device);
        if (move.places() && holder != null) {
          throw new AssertionError(device + " is held by " + holder + " and by " + move);
        } else if (move.places()) {
          holders.put(device, move);
        } else if (move.releases() && holder != null && move.isSameAttempt(holder)) {
          holders.remove(device);
        }
      }
    }
  }
}
