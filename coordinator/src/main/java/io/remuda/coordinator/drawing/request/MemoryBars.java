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
    long known = 0;
    long promised = 0; // of which it is not known what is used
    for (JsonNode holder : gpu.path("holders")) {
      known += holder.path("usedBytes").asLong();
      promised += holder.path("usedBytes").isNumber() ? 0 : holder.path("reservedBytes").asLong();
    }
    long others = gpu.path("otherBytes").asLong();
    Parts parts = new Parts(total, Math.max(0, total - known - others - promised));
    for (JsonNode holder : gpu.path("holders")) {
      String label = "job " + holder.path("job").asText();
      long lent = holder.path("reservedBytes").asLong();
      if (holder.path("usedBytes").isNumber()) {
        long used = holder.path("usedBytes").asLong();
        parts.add(label, used, MemoryPart.Kind.USED);
        parts.add(label, lent - used, MemoryPart.Kind.LENT);
      } else {
        parts.add(label, Math.min(lent, total - known - others), MemoryPart.Kind.UNKNOWN);
      }
    }
    if (gpu.path("otherBytes").isNumber()) {
      parts.add("others", others, MemoryPart.Kind.FOREIGN);
    } else {
      long used = gpu.path("usedBytes").asLong(total); // what else, if nothing says what is used
      parts.add("", used - known - promised, MemoryPart.Kind.UNKNOWN);
    }
    String label = gpu.path("node").asText() + ":" + gpu.path("number").asText("?");
    return new MemoryDrawing.Bar(label, total, parts.all);
  }

  /** The parts of a bar, together never more than the GPU has. */
  private static final class Parts {
    private final List<MemoryPart> all = new ArrayList<>();
    private long left;
    private long unused;

    /**
     * @param unused that nobody is known to use, and is lent at most: who has a whole GPU has not
     *     what others use of it
     */
    Parts(long total, long unused) {
      this.left = total;
      this.unused = unused;
    }

    void add(String label, long wanted, MemoryPart.Kind kind) {
      boolean lent = kind == MemoryPart.Kind.LENT;
      long bytes = Math.min(wanted, lent ? Math.min(left, unused) : left);
      if (bytes > 0) {
        all.add(new MemoryPart(label, bytes, kind));
        left -= bytes;
        unused -= lent ? bytes : 0;
      }
    }
  }
}
