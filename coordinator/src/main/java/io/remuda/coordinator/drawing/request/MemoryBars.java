package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.MemoryDrawing;
import io.remuda.coordinator.drawing.MemoryPart;
import java.util.ArrayList;
import java.util.List;

/** The memory of GPUs as {@code GET /top} has it. */
final class MemoryBars {

  private MemoryBars() {}

  /**
   * Returns the bar of a GPU; null if its memory is not known.
   *
   * @param gpu of {@code /top}
   */
  static MemoryDrawing.Bar bar(JsonNode gpu) {
    long total = gpu.path("memoryBytes").asLong();
    if (total <= 0) {
      return null;
    }
    List<MemoryPart> parts = new ArrayList<>();
    long known = 0;
    long unknown = 0;
    for (JsonNode holder : gpu.path("holders")) {
      String label = "job " + holder.path("job").asText();
      long lent = holder.path("reservedBytes").asLong();
      if (holder.path("usedBytes").isNumber()) {
        long used = holder.path("usedBytes").asLong();
        known += used;
        add(parts, label, used, MemoryPart.Kind.USED);
        add(parts, label, lent - used, MemoryPart.Kind.LENT);
      } else {
        unknown += lent;
        add(parts, label, lent, MemoryPart.Kind.UNKNOWN);
      }
    }
    if (gpu.path("otherBytes").isNumber()) {
      add(parts, "others", gpu.path("otherBytes").asLong(), MemoryPart.Kind.FOREIGN);
    } else {
      long used = gpu.path("usedBytes").asLong(total); // what else, if nothing says what is used
      add(parts, "", Math.min(total - sum(parts), used - known - unknown), MemoryPart.Kind.UNKNOWN);
    }
    String label = gpu.path("node").asText() + ":" + gpu.path("number").asText("?");
    return new MemoryDrawing.Bar(label, total, parts);
  }

  private static long sum(List<MemoryPart> parts) {
    return parts.stream().mapToLong(MemoryPart::bytes).sum();
  }

  private static void add(List<MemoryPart> parts, String label, long bytes, MemoryPart.Kind kind) {
    if (bytes > 0) {
      parts.add(new MemoryPart(label, bytes, kind));
    }
  }
}
