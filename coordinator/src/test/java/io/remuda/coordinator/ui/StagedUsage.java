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

  /** Returns the answer of {@code GET /waste}. */
  static ObjectNode waste() {
    ObjectNode answer =
        StagedServer.JSON.createObjectNode().put("since", "2026-11-22").put("until", "2026-11-28");
    ArrayNode rows = answer.putArray("rows");
    row(
        rows,
        "lent-and-idle",
        "ben",
        "notebook",
        "lab7:3",
        20L,
        "a whole H200 for 19 h, 0 % busy",
        "remuda cancel 20");
    row(
        rows,
        "squatter",
        "ben",
        null,
        "lab8:0",
        null,
        "29 GiB by jupyter (pid 41337) of ben",
        "remuda run --gpus 1 -- jupyter lab");
    row(
        rows,
        "never-touched",
        "ben",
        "notebook",
        null,
        null,
        "118 GPU hours in 14 attempts that used no GPU",
        "remuda submit --gpus 0 …");
    row(
        rows,
        "over-asked-memory",
        "dora",
        "bert",
        null,
        null,
        "asked for 128 GiB, used 31 GiB at most",
        "remuda submit --mem 40G …");
    ArrayNode gaps = answer.putArray("gaps");
    gaps.addObject().put("reason", "nobody-waited").put("gpuHours", 210.5);
    gaps.addObject().put("reason", "memory-too-small").put("gpuHours", 31.2);
    gaps.addObject().put("reason", "kept-for-a-job").put("gpuHours", 12.4);
    gaps.addObject().put("reason", "drained").put("gpuHours", 96.0);
    ArrayNode energy = answer.putArray("energy");
    energy(energy, "all", null, 812);
    energy(energy, "idle", null, 96);
    energy(energy, "user", "cleo", 402);
    energy(energy, "user", "ann", 188);
    energy(energy, "user", "dora", 84);
    energy(energy, "user", "ben", 42);
    return answer.put("energySince", 1_795_000_000L);
  }

  private static void row(
      ArrayNode to,
      String kind,
      String user,
      String type,
      String gpu,
      Long job,
      String text,
      String command) {
    to.addObject()
        .put("kind", kind)
        .put("user", user)
        .put("type", type)
        .put("gpu", gpu)
        .put("job", job)
        .put("text", text)
        .put("command", command);
  }

  private static void energy(ArrayNode to, String by, String name, double kwh) {
    to.addObject().put("by", by).put("name", name).put("kwh", kwh);
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
