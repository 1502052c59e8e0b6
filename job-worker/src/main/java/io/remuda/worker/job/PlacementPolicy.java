package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Which of the nodes that fit a task gets it. */
public enum PlacementPolicy {
  /** The next one after that of the job's task before. */
  ROUND_ROBIN,
  /** The one with the most room. */
  SPREAD,
  /** The one with the least room that is enough, so that large jobs find whole nodes. */
  PACK,
  /**
   * The one with the GPU that has the least memory left over, whatever else is on its node. Of one
   * user's tasks those that want most memory of a GPU go first. Without GPUs as {@link #PACK}.
   */
  BEST_FIT;

  /** Reads {@code round-robin}, {@code spread}, {@code pack} or {@code best-fit}. */
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
