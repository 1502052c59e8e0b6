package io.remuda.coordinator.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.render.ShortList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The table of {@code remuda nodes}. */
final class NodeTable {

  private static final double GIBIBYTE = 1L << 30;

  /** Width of a line unless all is asked for. */
  private static final int USUAL_WIDTH = 120;

  private static final int USUAL_MODEL = 12;

  /** Nodes of one machine that are named. */
  private static final int MOST_NAMED = 20;

  private static final String CUT = "+";
  private static final String NVIDIA = "NVIDIA ";

  private NodeTable() {}

  /** Returns the lines; those that were cut end with a {@code +}, and the last one says so. */
  static List<String> lines(JsonNode nodes, boolean wide) {
    return wide ? wide(nodes) : usual(nodes);
  }

  /** Returns a line for each machine on which several of the nodes are. */
  static List<String> sharedMachines(JsonNode nodes) {
    Map<String, List<String>> byMachine = new LinkedHashMap<>();
    for (JsonNode node : nodes) {
      if (node.path("machine").isTextual()) {
        byMachine
            .computeIfAbsent(node.path("machine").asText(), machine -> new ArrayList<>())
            .add(PrintableText.of(node.path("name").asText()));
      }
    }
    return byMachine.values().stream()
        .filter(names -> names.size() > 1)
        .map(names -> ShortList.of(names, MOST_NAMED) + " share one machine, its CPUs and memory")
        .toList();
  }

  private static List<String> wide(JsonNode nodes) {
    TextTable table =
        new TextTable(
            "NODE",
            "STATE",
            "SINCE",
            "CPUS FREE",
            "LOAD",
            "MEMORY FREE",
            "GPUS FREE",
            "TASKS",
            "ADDRESS",
            "VERSION",
            "LABELS");
    for (JsonNode node : nodes) {
      table.row(
          node.path("name").asText(),
          node.path("state").asText(),
          since(node),
          cpus(node),
          load(node),
          memory(node),
          gpus(node.path("devices"), Integer.MAX_VALUE),
          node.path("tasks").asText(),
          node.path("address").asText(""),
          node.path("version").asText(""),
          labels(node));
    }
    return table.lines();
  }

  private static List<String> usual(JsonNode nodes) {
    TextTable table =
        new TextTable(
            "NODE",
            "STATE",
            "SINCE",
            "CPUS FREE",
            "LOAD",
            "MEMORY FREE",
            "GPUS FREE",
            "TASKS",
            "LABELS");
    for (JsonNode node : nodes) {
      table.row(
          node.path("name").asText(),
          node.path("state").asText(),
          since(node),
          cpus(node),
          load(node),
          memory(node),
          gpus(node.path("devices"), USUAL_MODEL),
          node.path("tasks").asText(),
          labels(node));
    }
    List<String> lines = new ArrayList<>();
    boolean cut = false;
    for (String line : table.lines()) {
      boolean fits = line.length() <= USUAL_WIDTH;
      lines.add(fits ? line : line.substring(0, USUAL_WIDTH - CUT.length()) + CUT);
      cut |= !fits;
    }
    if (cut) {
      lines.add("lines with + at the end were cut: --wide shows all");
    }
    return lines;
  }

  private static String since(JsonNode node) {
    JsonNode seconds = node.path("sinceSeconds");
    return seconds.isNumber() ? ElapsedTime.span(Duration.ofSeconds(seconds.asLong())) : "";
  }

  private static String cpus(JsonNode node) {
    return plain(node.path("freeCpus").asDouble()) + "/" + plain(node.path("cpus").asDouble());
  }

  private static String load(JsonNode node) {
    JsonNode load = node.path("load1");
    return load.isNumber() ? String.format(Locale.ROOT, "%.1f", load.asDouble()) : "";
  }

  private static String memory(JsonNode node) {
    return gib(node.path("freeMemoryBytes")) + "/" + gib(node.path("memoryBytes")) + " GiB";
  }

  /** Returns free and all GPUs and their models, as {@code 2/8 H200}. */
  static String gpus(JsonNode devices, int most) {
    int free = 0;
    Map<String, Integer> models = new TreeMap<>();
    for (JsonNode device : devices) {
      free += device.path("state").asText().equals("free") ? 1 : 0;
      models.merge(model(device, most), 1, Integer::sum);
    }
    StringBuilder text = new StringBuilder(free + "/" + devices.size());
    models.forEach(
        (model, count) ->
            text.append(' ').append(models.size() == 1 ? "" : count + "x").append(model));
    return text.toString().stripTrailing();
  }

  private static String model(JsonNode device, int most) {
    String model = device.path("model").asText("");
    String own = model.startsWith(NVIDIA) ? model.substring(NVIDIA.length()) : model;
    return own.length() <= most ? own : own.substring(0, most - CUT.length()) + CUT;
  }

  /** Returns the labels besides the node's name, as {@code zone=a,disk=ssd}. */
  private static String labels(JsonNode node) {
    List<String> labels = new ArrayList<>();
    Map<String, String> sorted = new TreeMap<>();
    node.path("labels")
        .fields()
        .forEachRemaining(label -> sorted.put(label.getKey(), label.getValue().asText()));
    sorted.remove("node");
    sorted.forEach((key, value) -> labels.add(key + "=" + value));
    return String.join(",", labels);
  }

  static String plain(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String gib(JsonNode bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes.asLong() / GIBIBYTE);
  }
}
