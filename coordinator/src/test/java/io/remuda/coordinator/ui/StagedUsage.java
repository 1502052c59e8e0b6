package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The answer of {@code GET /usage}. */
final class StagedUsage {

  private StagedUsage() {}

  static ObjectNode answer() {
    ObjectNode answer =
        StagedServer.JSON
            .createObjectNode()
            .put("since", "2026-11-22")
            .put("until", "2026-11-28")
            .put("by", "user")
            .put("more", false);
    ArrayNode sums = answer.putArray("sums");
    sum(sums.addObject(), "cleo", 612, 540, 0, 88);
    sum(sums.addObject(), "ann", 388, 301, 12, 79);
    sum(sums.addObject(), "dora", 240, 96, 41, 51);
    sum(sums.addObject(), "ben", 171, 22, 118, 20);
    sum(answer.putObject("total"), "", 1411, 959, 171, 71);
    answer
        .putArray("unused")
        .addObject()
        .put("user", "ben")
        .put("type", "notebook")
        .put(
            "text",
            "held a GPU for 118 hours and used none of it: submit it without --gpus, or with"
                + " --gpu-mem auto");
    return answer;
  }

  private static void sum(
      ObjectNode sum, String name, double held, double used, double idle, int percent) {
    sum.put("name", name)
        .put("jobs", (int) held / 9)
        .put("tasks", (int) held / 4)
        .put("attempts", (int) held / 3)
        .put("hours", held)
        .put("cpuHoursHeld", held * 4)
        .put("cpuHoursUsed", held * 3)
        .put("cpuPercent", 74)
        .put("gpuHoursHeld", held)
        .put("gpuHoursUsed", used)
        .put("gpuHoursIdle", idle)
        .put("gpuPercent", percent)
        .put("memoryPercent", 61)
        .put("gpuPeakBytes", 44L << 30);
  }
}
