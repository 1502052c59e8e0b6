package io.remuda.coordinator.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.Table;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;

/** Lists the nodes with what is free. */
@Command(name = "nodes", description = "Lists the nodes: what they have and what is free.")
final class NodesCommand extends Verb {

  private static final double GIBIBYTE = 1L << 30;

  @Override
  int ask(RestClient server) throws IOException {
    JsonNode nodes = server.get("/nodes").path("nodes");
    if (json) {
      printJson(nodes);
      return OK;
    }
    if (nodes.isEmpty()) {
      out().println("no node has joined");
      out().flush();
      return OK;
    }
    Table table = new Table("NODE", "STATE", "CPUS FREE", "MEMORY FREE", "GPUS FREE", "TASKS");
    for (JsonNode node : nodes) {
      table.row(
          node.path("name").asText(),
          node.path("state").asText(),
          plain(node.path("freeCpus").asDouble()) + "/" + plain(node.path("cpus").asDouble()),
          gib(node.path("freeMemoryBytes")) + "/" + gib(node.path("memoryBytes")) + " GiB",
          gpus(node.path("devices")),
          node.path("tasks").asText());
    }
    print(table);
    return OK;
  }

  private static String gpus(JsonNode devices) {
    int free = 0;
    for (JsonNode device : devices) {
      free += device.path("state").asText().equals("free") ? 1 : 0;
    }
    return free + "/" + devices.size();
  }

  private static String plain(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String gib(JsonNode bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes.asLong() / GIBIBYTE);
  }
}
