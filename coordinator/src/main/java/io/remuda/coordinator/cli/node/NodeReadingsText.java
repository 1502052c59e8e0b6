package io.remuda.coordinator.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.CurveText;
import io.remuda.telemetry.render.PrintableText;
import java.util.ArrayList;
import java.util.List;

/** What the machine of a node does, in lines; what is not known is left out. */
final class NodeReadingsText {

  private static final int PERCENT = 100;

  /** From here on a core counts as busy, percent. */
  private static final int BUSY = 50;

  private NodeReadingsText() {}

  /** Returns the lines of a node with {@code readings}; none without. */
  static List<String> lines(JsonNode node) {
    List<String> lines = new ArrayList<>();
    JsonNode readings = node.path("readings");
    if (readings.path("coresBusy").isArray()) {
      lines.add("cores: " + cores(readings.path("coresBusy")));
    }
    for (JsonNode disk : readings.path("disks")) {
      lines.add(
          "disk "
              + text(disk, "name")
              + ": reads "
              + rate(disk, "readBytesPerSecond")
              + ", writes "
              + rate(disk, "writtenBytesPerSecond"));
    }
    for (JsonNode network : readings.path("networks")) {
      lines.add(
          "network "
              + text(network, "name")
              + ": receives "
              + rate(network, "receivedBytesPerSecond")
              + ", sends "
              + rate(network, "sentBytesPerSecond"));
    }
    for (JsonNode sensor : readings.path("temperatures")) {
      lines.add(
          "temperature "
              + text(sensor, "sensor")
              + ": "
              + Math.round(sensor.path("celsius").asDouble())
              + " C");
    }
    for (JsonNode files : readings.path("fileSystems")) {
      lines.add(files(files));
    }
    String name = PrintableText.of(node.path("name").asText());
    return lines.stream().map(line -> name + ": " + line).toList();
  }

  private static String cores(JsonNode cores) {
    int busy = 0;
    int highest = 0;
    for (JsonNode core : cores) {
      busy += core.asInt() >= BUSY ? 1 : 0;
      highest = Math.max(highest, core.asInt());
    }
    return busy + " of " + cores.size() + " busy, the busiest " + highest + " %";
  }

  private static String files(JsonNode files) {
    long size = files.path("sizeBytes").asLong();
    long used = files.path("usedBytes").asLong();
    return "file system "
        + text(files, "mount")
        + " ("
        + text(files, "type")
        + "): "
        + Math.round(PERCENT * (double) used / Math.max(1, size))
        + " % of "
        + bytes(size)
        + " used, "
        + bytes(files.path("freeBytes").asLong())
        + " free";
  }

  private static String bytes(long bytes) {
    return CurveText.value(bytes, "bytes");
  }

  private static String rate(JsonNode device, String field) {
    JsonNode rate = device.path(field);
    return rate.isNumber() ? CurveText.value(rate.asDouble(), "bytes/s") : "?";
  }

  private static String text(JsonNode object, String field) {
    return PrintableText.of(object.path(field).asText());
  }
}
