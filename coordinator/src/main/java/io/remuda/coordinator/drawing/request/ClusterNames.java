package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The nodes and GPUs of a server by name.
 *
 * @param nodes names
 * @param gpus names as {@code gpu1:0} by UUID, in order
 */
public record ClusterNames(List<String> nodes, Map<String, String> gpus) {

  private static final int NAMED = 20;

  /** Asks a server for them. */
  public static ClusterNames of(ServerAnswers server) throws IOException {
    List<String> nodes = new ArrayList<>();
    Map<String, String> gpus = new LinkedHashMap<>();
    for (JsonNode node : server.get("/nodes").path("nodes")) {
      nodes.add(node.path("name").asText());
      for (JsonNode device : node.path("devices")) {
        String number = device.path("number").asText("?");
        gpus.put(device.path("uuid").asText(), node.path("name").asText() + ":" + number);
      }
    }
    return new ClusterNames(nodes, gpus);
  }

  /**
   * Returns the UUID of a GPU.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  String uuid(String name) {
    return gpus.entrySet().stream()
        .filter(gpu -> gpu.getValue().equals(name) || gpu.getKey().equals(name))
        .findFirst()
        .map(Map.Entry::getKey)
        .orElseThrow(() -> none("GPU", name, gpus.values().stream()));
  }

  /**
   * Returns the name of a node.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  String node(String name) {
    if (!nodes.contains(name)) {
      throw none("node", name, nodes.stream());
    }
    return name;
  }

  private static IllegalArgumentException none(String what, String name, Stream<String> names) {
    String there = names.sorted().limit(NAMED).collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        "there is no "
            + what
            + " '"
            + PrintableText.of(name)
            + "'"
            + (there.isEmpty() ? "" : "; there are " + there));
  }

  /** Returns the GPUs of a node: names by UUID. */
  Map<String, String> gpusOf(String node) {
    Map<String, String> own = new LinkedHashMap<>(gpus);
    own.values().removeIf(name -> !name.startsWith(node + ":"));
    return own;
  }
}
