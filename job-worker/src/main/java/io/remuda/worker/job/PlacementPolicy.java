package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a node is selected among those that fit a task. */
public enum PlacementPolicy {
  /** The next node, in name order, after that of the job's previous task. */
  ROUND_ROBIN,
  /** The node with the most free capacity. */
  SPREAD,
  /** The node with the least sufficient capacity, so that whole nodes stay free for large jobs. */
  PACK,
  /**
   * The node with the GPU that has the least memory left after placement, regardless of the node's
   * other load. Among the tasks of one user, those with the largest GPU memory requests are placed
   * first. Without GPUs, like {@link #PACK}.
   */
  BEST_FIT;

  /** Parses {@code round-robin}, {@code spread}, {@code pack} or {@code best-fit}. */
  @JsonCreator
  public static PlacementPolicy parse(String text) {
    for (PlacementPolicy policy : values()) {
      if (policy.toString().equals(text)) {
        return policy;
      }
    }
    throw new IllegalArgumentException(
        "policy must be round-robin, spread, pack or best-fit, got '" + text + "'");
  }

  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
