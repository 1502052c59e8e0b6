package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
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
  BEST_FIT,
  /** The node and GPU that leave the most room for tasks like those seen so far. */
  FORESIGHT,
  /** The node and GPU on which the least GPU capacity becomes useless for tasks seen so far. */
  FGD,
  /** The node whose free capacity, multiplied with the task's needs, is the smallest. */
  DOT_PRODUCT,
  /** A node at random, the same for equal input. */
  RANDOM,
  /**
   * The GPUs with the fewest tasks, then with the fewest that have other GPUs, too, then with the
   * most free memory: for tasks that share GPUs and keep them busy. Among the tasks of one user,
   * those with the largest GPU memory requests are placed first, and tasks whose type is not
   * measured before all others.
   */
  SHARE;

  /** The policy of a job that names none. */
  public static final PlacementPolicy USUAL = FORESIGHT;

  /**
   * Returns whether builds before the first that has {@link #FORESIGHT} can read it: while the
   * members of a cluster are replaced one after the other, theirs may have to lead.
   */
  public boolean isKnownToEarlierBuilds() {
    return ordinal() < FORESIGHT.ordinal();
  }

  /** Returns the names of all policies. */
  public static List<String> names() {
    return Arrays.stream(values()).map(PlacementPolicy::toString).toList();
  }

  /** Parses one of {@link #names}, such as {@code best-fit}. */
  @JsonCreator
  public static PlacementPolicy parse(String text) {
    for (PlacementPolicy policy : values()) {
      if (policy.toString().equals(text)) {
        return policy;
      }
    }
    List<String> names = names();
    throw new IllegalArgumentException(
        "policy must be "
            + String.join(", ", names.subList(0, names.size() - 1))
            + " or "
            + names.get(names.size() - 1)
            + ", got '"
            + text
            + "'");
  }

  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
