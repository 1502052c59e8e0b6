package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
  }

  /** Something about a node. */
  public record NodeEvent(Instant at, String node, String event, String cause) {}

  /** A device held by an attempt of a task. */
  private record Held(String run, String task, int attempt, String device, Instant from) {
    @Override
    public String toString() {
      return device + " by " + task + "/" + attempt + " of run " + run + " since " + from;
    }
  }

  private record Step(Instant at, boolean releases, Held held) {}

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

  /** Fails if a device was held by two attempts at a time, in this run or in different ones. */
  public static void assertNoDeviceHeldTwice(EventLogFile... logs) {
    List<Step> steps = new ArrayList<>();
    for (int run = 0; run < logs.length; run++) {
      String name = Integer.toString(run);
      logs[run].moves.forEach(move -> steps(name, move).forEach(steps::add));
    }
    steps.sort(Comparator.comparing(Step::at)); // stable: a log's own order stays
    Map<String, Held> holders = new HashMap<>();
    for (Step step : steps) {
      Held held = step.held();
      Held other = holders.get(held.device());
      if (step.releases() && other != null && isSame(other, held)) {
        holders.remove(held.device());
      } else if (!step.releases() && other != null) {
        throw new AssertionError("held twice: " + other + " and " + held);
      } else if (!step.releases()) {
        holders.put(held.device(), held);
      }
    }
  }

  private static boolean isSame(Held one, Held other) {
    return one.run().equals(other.run())
        && one.task().equals(other.task())
        && one.attempt() == other.attempt();
  }

  private static Stream<Step> steps(String run, Move move) {
    if (!move.places() && !move.releases()) {
      return Stream.of();
    }
    return move.devices().stream()
        .map(
            device ->
                new Step(
                    move.at(),
                    move.releases(),
                    new Held(run, move.task(), move.attempt(), device, move.at())));
  }
}
