package io.remuda.coordinator.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.telemetry.render.PrintableText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Says in lines what is wasted now, and the energy of GPUs. */
final class WasteText {

  /** What is not said of ended jobs already. */
  private static final Set<String> NOW = Set.of("lent-and-idle", "squatter");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ENGLISH);

  private WasteText() {}

  /**
   * Returns the lines, with an empty one at first; none if there is nothing to say.
   *
   * @param waste the server's answer, or null in JSON
   * @param zone of the times
   */
  static List<String> lines(JsonNode waste, ZoneId zone) {
    List<String> lines = new ArrayList<>();
    for (JsonNode row : waste.path("rows")) {
      if (NOW.contains(row.path("kind").asText())) {
        lines.add("  " + now(row, zone));
      }
    }
    int less = waste.path("idleForLess").asInt();
    if (less > 0) {
      lines.add(
          "  "
              + (less == 1 ? "1 GPU is" : less + " GPUs are")
              + " held and idle for less than 5 min");
    }
    if (!lines.isEmpty()) {
      lines.add(0, "now:");
    }
    List<String> energy = new ArrayList<>();
    for (JsonNode sum : waste.path("energy")) {
      String by = sum.path("by").asText();
      if (by.equals("user")) {
        energy.add(PrintableText.of(sum.path("name").asText("others")) + " " + kwh(sum));
      } else if (by.equals("idle")) {
        energy.add("without a task " + kwh(sum));
      }
    }
    if (!energy.isEmpty()) {
      lines.add(
          "energy of GPUs: "
              + String.join(", ", energy)
              + (waste.path("more").asBoolean() ? ", without the shortest of too many times" : ""));
    }
    if (!lines.isEmpty()) {
      lines.add(0, "");
    }
    return lines;
  }

  private static String now(JsonNode row, ZoneId zone) {
    String since =
        row.path("idleSince").isNumber()
            ? "idle since "
                + TIME.format(Instant.ofEpochSecond(row.path("idleSince").asLong()).atZone(zone))
                + ": "
            : "";
    String of = row.path("user").isNull() ? "" : row.path("user").asText() + ", ";
    return PrintableText.of(
        of
            + row.path("gpu").asText()
            + ": "
            + since
            + row.path("text").asText()
            + " ("
            + row.path("command").asText()
            + ")");
  }

  private static String kwh(JsonNode sum) {
    return String.format(Locale.ROOT, "%.2f kWh", sum.path("kwh").asDouble());
  }
}
