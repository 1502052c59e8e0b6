package io.remuda.coordinator.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.CountedQuantityText;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;

/** What a task needs, for people. */
public final class NeedsText {

  private static final int PERCENT = 100;

  private NeedsText() {}

  /**
   * Returns the resources of a task, as {@code 2 CPUs, 1 GPU}.
   *
   * @param maxGpus most GPUs of a training; less than 2 if their number is fixed
   */
  public static String of(JsonNode needs, int maxGpus) {
    List<String> parts = new ArrayList<>();
    parts.add(CountedQuantityText.counted(needs.path("cpus").asDouble(), "CPU"));
    if (needs.path("memory").asLong() > 0) {
      parts.add((needs.path("memory").asLong() >> 20) + " MiB");
    }
    if (needs.path("gpus").asInt() > 0) {
      String model = needs.path("gpuModel").asText("");
      parts.add(
          (maxGpus > 1
                  ? "1 to " + maxGpus + " GPUs"
                  : CountedQuantityText.counted(needs.path("gpus").asInt(), "GPU"))
              + (model.isEmpty() ? "" : " of model " + PrintableText.of(model)));
    }
    if (needs.path("gpuMemory").asLong() == ResourceRequest.AUTO) {
      parts.add("as much of each GPU as its type needs");
    } else if (needs.path("gpuMemory").asLong() > 0) {
      parts.add((needs.path("gpuMemory").asLong() >> 20) + " MiB of each GPU");
    }
    if (needs.path("perGpu").asInt() == 1) {
      parts.add("no other task on its GPUs");
    } else if (needs.path("perGpu").asInt() > 1) {
      parts.add("at most " + needs.path("perGpu").asInt() + " tasks on each GPU");
    }
    if (needs.has("shareIf")) {
      parts.add(
          "shares GPUs while it has "
              + Math.round(needs.path("shareIf").asDouble() * PERCENT)
              + " % of its speed");
    }
    needs
        .path("resources")
        .fields()
        .forEachRemaining(one -> parts.add(one.getValue() + " " + one.getKey()));
    if (needs.has("nodes")) {
      parts.add("only on " + joined(needs.path("nodes")));
    }
    if (needs.has("excludeNodes")) {
      parts.add("not on " + joined(needs.path("excludeNodes")));
    }
    return String.join(", ", parts);
  }

  private static String joined(JsonNode names) {
    List<String> all = new ArrayList<>();
    names.forEach(name -> all.add(name.asText()));
    return String.join(", ", all);
  }
}
