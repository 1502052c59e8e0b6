package io.remuda.coordinator.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.render.ShortList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the nodes with their resources. */
@Command(
    name = "nodes",
    description =
        "Lists all nodes, or those that are named, with their free and total resources, load, GPU"
            + " models, labels, and since when they are connected or silent. Those that are named"
            + " also with what their disks, networks and file systems do.",
    subcommands = NodesCommand.Remove.class)
public final class NodesCommand extends ServerCommandBase {

  /** Nodes that a message lists. */
  private static final int MOST_NAMED = 20;

  private static final int NOT_FOUND = 404;

  /** Forgets a node. */
  @Command(
      name = "remove",
      description =
          "Forgets a node that is silent and has no task. After a day that happens by itself; it"
              + " may join again.")
  static final class Remove extends NodeActionCommand {
    Remove() {
      super("remove", "is forgotten");
    }
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "NODE",
      description = "names of nodes (default: all nodes)")
  private List<String> names = new ArrayList<>();

  @Option(
      names = {"-w", "--wide"},
      description = "also addresses and versions of agents; no line is cut")
  private boolean wide;

  @Option(
      names = "--end",
      paramLabel = "TASK",
      description = "end this task of another state file, named as in the list")
  private String end;

  @Override
  protected int ask(RestClient server) throws IOException {
    JsonNode answer = server.get("/nodes");
    JsonNode nodes = answer.path("nodes");
    if (end != null) {
      return end(server, nodes);
    }
    Optional<String> unknown = unknown(nodes);
    if (unknown.isPresent()) {
      err().println("remuda: " + unknown.get());
      err().flush();
      return FAILURE;
    }
    nodes = named(nodes);
    if (!names.isEmpty()) {
      addReadings(server, nodes);
    }
    if (json) {
      printJson(nodes);
      return OK;
    }
    if (nodes.isEmpty()) {
      out().println("no node has joined");
      printAbsent(answer);
      out().flush();
      return OK;
    }
    NodeTable.lines(nodes, wide).forEach(out()::println);
    nodes.forEach(node -> NodeReadingsText.lines(node).forEach(out()::println));
    nodes.forEach(node -> printCounted(node.path("name").asText(), node.path("resources")));
    if (names.isEmpty()) {
      printCounted("cluster", answer.path("resources"));
    }
    nodes.forEach(this::printForeign);
    NodeTable.sharedMachines(nodes).forEach(out()::println);
    for (JsonNode node : nodes) {
      if (node.path("note").isTextual()) {
        out().println(node.path("name").asText() + ": " + node.path("note").asText());
      }
      node.path("devices").forEach(gpu -> printDrained(node.path("name").asText(), gpu));
      node.path("devices").forEach(gpu -> printNote(node.path("name").asText(), gpu));
    }
    if (names.isEmpty()) {
      printAbsent(answer);
    }
    out().flush();
    return OK;
  }

  /**
   * Adds what the first of these nodes read, as far as it is known: an older server says nothing.
   */
  private static void addReadings(RestClient server, JsonNode nodes) throws IOException {
    for (int at = 0; at < Math.min(MOST_NAMED, nodes.size()); at++) {
      ObjectNode node = (ObjectNode) nodes.path(at);
      try {
        String name = RestClient.encode(node.path("name").asText());
        node.set("readings", server.get("/nodes/" + name + "/readings"));
      } catch (RestFailureException unknown) {
        if (unknown.status() != NOT_FOUND) {
          throw unknown;
        }
        node.putNull("readings");
      }
    }
  }

  /** Prints why the node of the server's machine is not there. */
  private void printAbsent(JsonNode answer) {
    if (answer.path("absent").isTextual()) {
      out().println(PrintableText.of(answer.path("absent").asText()));
    }
  }

  /** Returns what is wrong with the first name that no node has. */
  private Optional<String> unknown(JsonNode nodes) {
    List<String> known = new ArrayList<>();
    nodes.forEach(node -> known.add(node.path("name").asText()));
    return names.stream()
        .filter(name -> !known.contains(name))
        .findFirst()
        .map(
            name ->
                "no node is called '"
                    + PrintableText.of(name)
                    + "': "
                    + (known.isEmpty()
                        ? "none has joined"
                        : "there are " + ShortList.of(known, MOST_NAMED)));
  }

  private JsonNode named(JsonNode nodes) {
    if (names.isEmpty()) {
      return nodes;
    }
    ArrayNode named = RestClient.JSON.createArrayNode();
    for (JsonNode node : nodes) {
      if (names.contains(node.path("name").asText())) {
        named.add(node);
      }
    }
    return named;
  }

  private void printCounted(String owner, JsonNode resources) {
    resources
        .fields()
        .forEachRemaining(
            one ->
                out()
                    .println(
                        owner
                            + ": "
                            + one.getKey()
                            + " "
                            + one.getValue().path("free").asText()
                            + " of "
                            + one.getValue().path("total").asText()
                            + " free"));
  }

  private void printDrained(String node, JsonNode gpu) {
    if (gpu.path("state").asText().equals("draining")) {
      String reason = gpu.path("drainReason").asText("");
      out()
          .println(
              node
                  + ": GPU "
                  + PrintableText.of(gpuName(gpu))
                  + " is draining"
                  + (reason.isEmpty() ? "" : " (" + PrintableText.of(reason) + ")"));
    }
  }

  /** Prints why a GPU is occupied or rests, and who uses one that tasks share or may have. */
  private void printNote(String node, JsonNode gpu) {
    if (gpu.path("note").isTextual()) {
      String state = gpu.path("state").asText();
      boolean kept = state.equals("occupied") || state.equals("resting");
      out()
          .println(
              node
                  + ": GPU "
                  + PrintableText.of(gpuName(gpu))
                  + (kept ? " is " + state : "")
                  + ": "
                  + PrintableText.of(gpu.path("note").asText()));
    }
  }

  /** Returns what a GPU is called, as {@code 1 (GPU-8f2c...)}. */
  private static String gpuName(JsonNode gpu) {
    String uuid = gpu.path("uuid").asText();
    return gpu.path("number").isTextual() ? gpu.path("number").asText() + " (" + uuid + ")" : uuid;
  }

  private void printForeign(JsonNode node) {
    for (JsonNode task : node.path("foreign")) {
      out()
          .println(
              node.path("name").asText()
                  + " also runs "
                  + task.path("id").asText()
                  + " of another state file: "
                  + shown(task, "name")
                  + " of "
                  + shown(task, "user")
                  + ", pid "
                  + task.path("pid").asText()
                  + ", CPUs "
                  + NodeTable.plain(task.path("cpus").asDouble())
                  + ", GPUs "
                  + task.path("devices").size());
    }
  }

  /** Escapes a text that comes from the environment of a task, which the task may have changed. */
  private static String shown(JsonNode task, String field) {
    return PrintableText.of(task.path(field).asText());
  }

  private int end(RestClient server, JsonNode nodes) throws IOException {
    for (JsonNode node : nodes) {
      for (JsonNode task : node.path("foreign")) {
        if (task.path("id").asText().equals(end)) {
          String path = "/nodes/" + RestClient.encode(node.path("name").asText()) + "/foreign/";
          server.post(path + RestClient.encode(end) + "/end", null);
          return OK;
        }
      }
    }
    err().println("remuda: no node runs a task " + end + " of another state file");
    err().flush();
    return FAILURE;
  }
}
